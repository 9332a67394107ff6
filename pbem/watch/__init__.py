"""Watching what comes in: each new turn told once, and entries that decide nothing written by
themselves."""
