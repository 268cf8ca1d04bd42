"""What users write against: the agent class, its capabilities, the context of a call. No Ray."""
