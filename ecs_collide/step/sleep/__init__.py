"""Sleep: islands of bodies at rest that a step skips, and the events that wake them."""
