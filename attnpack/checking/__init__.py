"""The exercises of a submission in order: ask, judge, diagnose, locate, report."""
