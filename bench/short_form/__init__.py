"""The short form held against the whole plan on what it was not built from."""
