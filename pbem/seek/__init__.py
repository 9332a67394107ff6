"""Who looks for somebody to play with: seeks, boards of them, and invitations that answer them."""
