"""What shows Loot: the table for its picture."""
