"""What several groups of tests use: players and homes in memory, servers, a terminal, replays of
recorded games."""
