"""The deck that all seats of a game share: its public state, and its fields in an entry."""
