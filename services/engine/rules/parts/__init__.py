"""What rules are made of, and all of it by name."""
