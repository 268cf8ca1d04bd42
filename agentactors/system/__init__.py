"""Start, attach, spawn, ask: the system as one object."""
