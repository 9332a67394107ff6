"""Tests of seeks."""
