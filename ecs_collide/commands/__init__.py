"""The commands of `python -m ecs_collide`, one file each."""
