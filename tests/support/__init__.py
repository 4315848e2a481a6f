"""What tests share: worlds of their own, scenes, and the pymunk oracle."""
