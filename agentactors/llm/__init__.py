"""Language models: the provider protocol, the deterministic mock, token counts. No Ray."""
