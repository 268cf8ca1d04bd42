"""The rule catalogue: what tools write when a build fails, one table per kind of tool."""
