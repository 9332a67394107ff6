"""Whole games in memory: series of games, games by mail, policies that decide."""
