"""Beside the game: people and seats, requests, programmes, called time and neutral moves."""
