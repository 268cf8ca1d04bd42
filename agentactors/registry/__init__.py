"""The registry's table: rows, life cycle, incarnations, epochs. Pure; the actor around it serialises callers."""
