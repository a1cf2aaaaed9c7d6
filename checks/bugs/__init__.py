"""The bug catalogue: one module per family, one entry per bug."""
