"""Databases: SQLite, PostgreSQL, and a twin in memory. Input and output only, no rules."""
