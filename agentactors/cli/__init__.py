"""The command line: one file per command; what they print is for people, or JSON with ``--json``."""
