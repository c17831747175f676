"""House players: they fill seats for demonstrations and random play, each with a leaning."""
