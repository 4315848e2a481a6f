"""Fill the blocks of joints from the columns at the start of a step, and what is kept of each body.

The pull of joints on a body that turns fast, or is light under a load, would swing it further within a substep than it
can follow: where (h omega)^2 of that swing, h pull / I with pull = sum of r.lambda over its joints (outwards positive,
lambda the impulse of a substep, of late), is above 1, its inertia is taken to be as much larger,

    I' = I (1 + h pull / I - 1)

Without that a heavy ball on a chain of light links, or a chain that does not fit, makes them jitter for ever.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns import bodies as of_body, joints as of_joint
from ecs_collide.compiled.kernels import device
from ecs_collide.compiled.simd import LANES
from ecs_collide.components.joints import kinds
from ecs_collide.engine.joints.chord import PART
from ecs_collide.engine.joints.forest import layout

TWO_PI = 6.283185307179586
STIFFEST = 0.25
"""A spring's frequency is no more than this part of the substep rate."""
MUCH_LONGER = 4.0
"""A substep is much longer that is so many times the last one: what was borne then may have been a blow, no force."""


@device
def prepare_joints(trees, tables, joints, bodies, contacts, contact_count, h):
    """Return whether any tree has a contact, and whether any joint is a spring.

    Reads the joints, body_frame, body_mass, the contacts' bodies. Writes all of `trees` and tree_spin.
    """
    any_touched, has_springs = False, False
    for k in range(len(trees.is_touched)):
        trees.is_touched[k] = False
    for row in range(contact_count):
        for side in range(2):
            tree = trees.tree[contacts.body[row, side]]
            if tree >= 0 and contacts.enabled[row]:
                trees.is_touched[tree] = True
                any_touched = True
    for body in trees.members:
        row = bodies.solver_row[body]
        for k in range(3):
            tables.spin[row, k] = bodies.mass[body, of_body.INVERSE_MASS_X + k]
        for k in range(layout.PULL, layout.ROD_XY + 1):
            tables.spin[row, k] = 0.0
    for k in range(layout.RESPONSE_WIDTH):
        tables.response[0, k] = 0.0
    for k in range(4):
        tables.shift[0, k], tables.extra[0, k] = 0.0, 0.0
        tables.spin[0, k], tables.spin[0, 4 + k] = 0.0, 0.0
    for block in range(trees.counts[layout.BLOCKS]):
        kind = trees.block_kind[block]
        for lane in range(LANES):
            joint = trees.index[block, layout.JOINT, lane]
            if joint != layout.NONE:
                fade_load(joints.load[joint], h)
                fill_rows(trees, block, lane, bodies)
                fill_lane(trees.field[block], trees.index[block], lane, kind, joint, trees, joints, bodies, h)
                has_springs = has_springs or trees.field[block, layout.IS_SOFT, lane] > 0.0
    if trees.counts[layout.IN_TREES] > 0:
        add_pulls(trees, tables, h)
    for body in trees.members:
        spin = tables.spin[bodies.solver_row[body]]
        ratio = h * spin[layout.PULL] * spin[layout.INERTIA]
        if ratio > 1.0:
            spin[layout.INERTIA] /= ratio
    return any_touched, has_springs


@device
def fade_load(load, h):
    """Take no more for the impulses of a substep, h long [s], than `MUCH_LONGER` times the last one's.

    Writes joint_load.
    """
    kept = MUCH_LONGER * load[of_joint.SUBSTEP] / h
    if kept < 1.0:
        for k in range(of_joint.SUBSTEP):
            load[k] *= kept


@device
def fill_rows(trees, block, lane, bodies):
    """Look up the solver's rows of both bodies. Reads body_solver_row. Writes block_index."""
    index = trees.index[block]
    for side, body_field in ((layout.CHILD, layout.CHILD_BODY), (layout.PARENT, layout.PARENT_BODY)):
        body = index[body_field, lane]
        index[side, lane] = bodies.solver_row[body] if body != layout.NONE else 0


@device
def arm_of(body, x, y, bodies):
    """A place in a body's axes from its origin [m], turned and from its centre of mass; then that centre."""
    if body == layout.NONE:
        return x, y, 0.0, 0.0
    c, s = bodies.frame[body, of_body.COS], bodies.frame[body, of_body.SIN]
    x, y = x - bodies.mass[body, of_body.LOCAL_X], y - bodies.mass[body, of_body.LOCAL_Y]
    return (
        c * x - s * y,
        s * x + c * y,
        bodies.frame[body, of_body.CENTER_X],
        bodies.frame[body, of_body.CENTER_Y],
    )


@device
def angle_of(body, bodies):
    return 0.0 if body == layout.NONE else bodies.frame[body, of_body.FRAME_ANGLE]


@device
def fill_lane(field, index, lane, kind, joint, trees, joints, bodies, h):
    """Fill what stays for the step in a lane of a block."""
    numbers, place, load = joints.numbers[joint], joints.place[joint], joints.load[joint]
    a, b = joints.index[joint, of_joint.BODY_A], joints.index[joint, of_joint.BODY_B]
    ax, ay, center_ax, center_ay = arm_of(a, place[of_joint.ANCHOR_A_X], place[of_joint.ANCHOR_A_Y], bodies)
    anchor_x, anchor_y = place[of_joint.ANCHOR_B_X], place[of_joint.ANCHOR_B_Y]
    if kind == kinds.TARGET:
        anchor_x, anchor_y = numbers[of_joint.TARGET_X], numbers[of_joint.TARGET_Y]
    bx, by, center_bx, center_by = arm_of(b, anchor_x, anchor_y, bodies)
    field[layout.ARM_A, lane], field[layout.ARM_A + 1, lane] = ax, ay
    field[layout.ARM_B, lane], field[layout.ARM_B + 1, lane] = bx, by
    field[layout.OFFSET, lane], field[layout.OFFSET + 1, lane] = center_bx - center_ax, center_by - center_ay
    c, s = bodies.frame[a, of_body.COS], bodies.frame[a, of_body.SIN]
    axis_x, axis_y = place[of_joint.AXIS_X], place[of_joint.AXIS_Y]
    field[layout.AXIS, lane], field[layout.AXIS + 1, lane] = c * axis_x - s * axis_y, s * axis_x + c * axis_y
    reference = numbers[of_joint.REST] if kind == kinds.REVOLUTE else place[of_joint.REFERENCE]
    field[layout.ANGLE, lane] = angle_of(b, bodies) - angle_of(a, bodies) - reference
    field[layout.REST, lane] = numbers[of_joint.REST]
    hertz = min(numbers[of_joint.HERTZ], STIFFEST / h)
    field[layout.OMEGA, lane] = TWO_PI * hertz
    field[layout.DAMPING, lane] = numbers[of_joint.DAMPING_RATIO]
    field[layout.IS_SOFT, lane] = 1.0 if hertz > 0.0 else 0.0
    field[layout.IS_RIGID, lane] = 1.0 if is_rigid(kind, numbers) else 0.0
    touched = trees.is_touched[index[layout.TREE, lane]]
    field[layout.TOUCHED, lane] = 1.0 if touched else 0.0
    field[layout.CHORD, lane] = 0.0 if touched else PART
    for k in range(3):
        field[layout.IMPULSE + k, lane] = load[k] * field[layout.SIGN, lane] * h
        field[layout.BORNE + k, lane] = 0.0
    for k in range(2):
        field[layout.PULL_ON_CHILD + k, lane] = load[of_joint.MEAN + k] * field[layout.SIGN, lane] * h


@device
def is_rigid(kind, numbers):
    """Whether the third row of a joint without a spring is rigid: a weld's, and a rod's; a rope has bounds instead."""
    rope = numbers[of_joint.LOWER] > -of_joint.ENDLESS or numbers[of_joint.UPPER] < of_joint.ENDLESS
    return kind == kinds.WELD or (kind == kinds.DISTANCE and not rope)


@device
def add_pulls(trees, tables, h):
    """Add up what the joints pull on each body in a substep. Reads PULL_ON_CHILD. Writes tree_spin (PULL, ROD)."""
    for block in range(trees.counts[layout.IN_TREES]):
        kind, field = trees.block_kind[block], trees.field[block]
        if kind != kinds.REVOLUTE and kind != kinds.WELD and kind != kinds.DISTANCE:
            continue
        for lane in range(LANES):
            child, parent = trees.index[block, layout.CHILD, lane], trees.index[block, layout.PARENT, lane]
            sign = field[layout.SIGN, lane]
            at_child, at_parent = (layout.ARM_B, layout.ARM_A) if sign > 0.0 else (layout.ARM_A, layout.ARM_B)
            px, py = field[layout.PULL_ON_CHILD, lane], field[layout.PULL_ON_CHILD + 1, lane]
            if kind == kinds.DISTANCE:
                stiffen(tables.spin[child], field, lane, sign, px, py, h)
                stiffen(tables.spin[parent], field, lane, sign, px, py, h)
            if child != 0:
                tables.spin[child, layout.PULL] += field[at_child, lane] * px + field[at_child + 1, lane] * py
            if parent != 0:
                tables.spin[parent, layout.PULL] -= field[at_parent, lane] * px + field[at_parent + 1, lane] * py


@device
def stiffen(spin, field, lane, sign, px, py, h):
    """Let a rod that pulls keep its end from swinging faster than a substep can follow. Writes tree_spin (ROD).

    Across a rod of length L that pulls with T = -u.p on the one at its end, the mass is taken to be 2 h T / L where
    that is more than it has.
    """
    inverse_mass = max(spin[layout.MASS_X], spin[layout.MASS_Y])
    x = field[layout.OFFSET, lane] + field[layout.ARM_B, lane] - field[layout.ARM_A, lane]
    y = field[layout.OFFSET + 1, lane] + field[layout.ARM_B + 1, lane] - field[layout.ARM_A + 1, lane]
    length = sqrt(x * x + y * y)
    if inverse_mass <= 0.0 or length <= 0.0:
        return
    u_x, u_y = x / length, y / length
    pull = -sign * (u_x * px + u_y * py)
    more = 2.0 * h * pull / length - 1.0 / inverse_mass
    if more > 0.0:
        spin[layout.ROD_XX] += more * u_y * u_y
        spin[layout.ROD_YY] += more * u_x * u_x
        spin[layout.ROD_XY] -= more * u_x * u_y
