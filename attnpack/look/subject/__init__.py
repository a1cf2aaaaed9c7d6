"""The code that is looked at: the learner's, in a guest, or the reference."""
