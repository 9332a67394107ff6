"""From a turn file to the signed next one: games found and opened, entries drafted, signed and
written."""
