"""The Ray actors: thin shells around what decides elsewhere."""
