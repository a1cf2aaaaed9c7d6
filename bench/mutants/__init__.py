"""Small syntactic mutants of the solutions, run through the checks: `python -m bench.mutants`."""
