"""Which bug explains the numbers: executable models, pairs of them, and traced lines."""
