"""Contours: shapes and pieces as rows of corners and edges, for distances, first contacts and rays."""
