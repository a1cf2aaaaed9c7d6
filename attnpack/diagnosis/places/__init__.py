"""Which expression of the learner's code is at fault, proven by giving it its right value."""
