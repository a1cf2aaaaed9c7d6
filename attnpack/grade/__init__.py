"""A cohort: find the submissions, judge each once, mark them, write what a teacher needs."""
