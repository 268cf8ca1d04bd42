"""Whom a request goes to: a pure decision over a local copy of the registry's table."""
