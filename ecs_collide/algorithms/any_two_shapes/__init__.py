"""Queries of any two shapes, without esper and without a world. Import them from `ecs_collide`."""
