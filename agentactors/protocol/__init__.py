"""What travels and what it means: envelope, bodies, declarations, life cycles. No Ray, no I/O, no clock."""
