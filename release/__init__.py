"""What a release is made of besides the program: man pages, a bill of materials, and a build that
is compared."""
