"""Long comparisons that `./run slow` makes; a shorter one of each is among the tests of its
package."""
