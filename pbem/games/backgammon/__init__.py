"""What shows backgammon: its descriptor, picture and board."""
