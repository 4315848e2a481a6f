"""Pieces by place: a tree of those that are static, strips of those that move."""
