"""Learner code whose expressions are seen as they are evaluated, or given another value."""
