"""The shapes of a forward pass, as a table and as the sheet that a learner fills in."""
