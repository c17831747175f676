"""Soak: whole games played at random, with everything that must always hold looked at all the way.

A game is drawn from a title, a number of players and a seed, and is the same on every machine. All
of it is pure; the console has the command that plays many and keeps what fails.
"""
