"""The kinds of round: how each begins, goes on and ends, and what follows it."""
