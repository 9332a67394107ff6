"""Contacts, and homes that move."""
