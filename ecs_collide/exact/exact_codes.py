"""Codes and tolerances of the exact response: states of balls and contacts, results of kernels."""

from __future__ import annotations

NO_PARTNER, SEVERAL_PARTNERS = -1, -2
"""Partner of a ball that has hit nothing in this step, or several partners at once."""

HORIZON_EVENT = -1
"""Partner in the event that renews a ball's box at its horizon."""

NO_CELL = -1
"""Cell of a ball that is too large or too fast for the grid."""

CAPPED = 1 << 30
"""Impact count of a ball that has reached the impact limit; from there on its impacts are counted anew."""

FREE, SETTLED, HELD, PACKED, STOPPED = range(5)
"""Support of a ball.

    FREE      nothing supports it
    SETTLED   it came to rest on something within the step
    HELD      it rested on a feature when the step began
    PACKED    it rested on other balls when the step began
    STOPPED   it has stopped at the impact limit until the step ends
"""

OVERLAPPING, RESTING, RESTED = range(3)
"""State of a contact: it only overlaps, it rests, or it rested and parted within the step."""

DONE, MORE_EVENTS, MORE_FOUND, MORE_CANDIDATES, MORE_CONTACTS, MORE_RECORDS = range(6)
"""Result of a kernel: finished, or the arrays that need more room."""

SAME_TIME = 1e-13
"""Time after the first impact of a group within which impacts belong to the group [s]."""

OVERLAP = 1e-9
"""Overlap above which it is not rounding [length units]."""

PLAY = 1e-5
"""Overlap that resting contacts keep [length units]. Without it, they would be shifted in each step."""
