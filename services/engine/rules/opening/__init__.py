"""Opening a table: seats, lots, and every piece in its place."""
