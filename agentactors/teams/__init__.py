"""Teams of agents: roles at work on one task, their plan, their tools and the audit of what they really did."""
