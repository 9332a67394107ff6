"""Fields that decide nothing: the clock, absences, grants and notes."""
