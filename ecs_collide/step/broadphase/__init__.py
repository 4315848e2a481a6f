"""Which pieces might touch: fat boxes, strips for what moves, a tree for what does not, lasting pairs."""
