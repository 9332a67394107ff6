"""Leagues: files that a director signs and anybody computes again (docs/format.md, section 26)."""
