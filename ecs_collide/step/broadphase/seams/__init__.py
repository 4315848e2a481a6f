"""Seams: covered edges of static and kinematic pieces, so that no body bounces at an internal edge."""
