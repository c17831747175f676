"""Chaos: real processes under load are killed at random, and afterwards nothing may be missing.

Everything is real: a store on its disk, engines, a projector, clients on the bus. It runs on a
store of its own and touches no other.
"""
