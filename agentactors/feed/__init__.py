"""One writer's changes, numbered, and the copies that followers keep of them. Generic over the rows."""
