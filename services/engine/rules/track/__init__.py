"""What the board lets a company do: home, first build, surveys, refusals about track and runs."""
