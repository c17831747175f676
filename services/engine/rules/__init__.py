"""The rules: from a ruleset, a table and an order to events or a reasoned rejection, purely."""
