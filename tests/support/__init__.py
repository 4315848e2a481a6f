"""Support shared by tests: worlds, scenes, processes, slow references and the pymunk oracle."""
