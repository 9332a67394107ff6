"""What a player keeps: their memory, contacts, backups, and homes that move."""
