"""Conquest of Paradise, solitaire: what shows it."""
