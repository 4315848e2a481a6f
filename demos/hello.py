# mypy: allow-untyped-defs
"""A ball drops on the ground and bounces: the README's first example, a plain script."""

import esper

import ecs_collide as ec

physics = ec.install(gravity=(0.0, -9.81))  # adds the ordered systems to the current esper world
floor = esper.create_entity(ec.Transform(0, 0), ec.Collider(ec.HalfPlane(normal=(0, 1))))  # no Velocity: static
ball = esper.create_entity(ec.Transform(0, 5), ec.Velocity(2, 0), ec.Collider(ec.Circle(0.5), restitution=0.8))


@ec.on("collision_start")
def on_start(contact):
    print(contact.entity_a, contact.entity_b, contact.normal)


for _ in range(120):
    esper.process(1 / 60)
print(esper.component_for_entity(ball, ec.Transform).position)
