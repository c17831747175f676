"""The private server of one machine: a Redis or Valkey that lives and dies with Minutebook.

`store` gives the address of the store to use, starting a server where none is named.
"""
