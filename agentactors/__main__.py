"""``python -m agentactors``."""

from agentactors.cli.main import main

if __name__ == "__main__":
    main()
