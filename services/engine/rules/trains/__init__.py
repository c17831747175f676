"""Trains: who owns which, what is on sale, sides, warranties, phases, and the director's help."""
