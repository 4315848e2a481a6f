"""Broadphase: fat boxes, strips of the pieces that move, a tree of the static pieces, and the pairs."""
