"""Companies' lives: how they start, float, are directed, go bankrupt, and their last operations."""
