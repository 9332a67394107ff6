"""The games that come with the program: the registry, and what shows each of them."""
