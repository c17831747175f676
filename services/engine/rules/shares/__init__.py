"""Shares: counting them, limits, the market, and what somebody is worth."""
