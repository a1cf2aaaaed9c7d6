"""One small change of the learner's own code after which every check passes."""
