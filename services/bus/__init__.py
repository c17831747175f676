"""The bus as every service uses it: connect, read minute books, send orders and be answered.

`client` gives the whole of it to the console and the gateway; the engine uses the parts below.
"""
