"""What rests is left alone: islands of bodies at rest, and what wakes them."""
