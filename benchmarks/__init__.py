"""Benchmarks: one file per claim, the raw ceiling beside each figure, measured in the same run."""
