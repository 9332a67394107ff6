"""A game replayed for whoever watches or checks it: the trace of what its rules asked."""
