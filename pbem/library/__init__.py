"""Many games at once: found in folders, verified by several processes, kept where they can be
searched."""
