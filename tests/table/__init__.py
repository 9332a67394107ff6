"""Tests of the table: its pages, its laws, and turns that are played in a real browser."""
