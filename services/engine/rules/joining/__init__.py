"""Companies that join: who may, at what price, and what becomes of shares and possessions."""
