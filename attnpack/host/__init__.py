"""Starts guests and speaks with them: the trusted side."""
