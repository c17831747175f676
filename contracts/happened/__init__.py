"""The events, by what they speak of; `contracts.events` gives them all."""
