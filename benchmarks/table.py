"""Tables of text, for a terminal or as Markdown. The first row has the headings."""

from __future__ import annotations

from collections.abc import Sequence

Table = Sequence[Sequence[str]]


def text(table: Table, left: int = 1) -> str:
    """Return aligned columns, the first ``left`` of them to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown(table: Table, left: int = 1) -> str:
    """Return the table as Markdown."""
    lines = [f"| {' | '.join(row)} |" for row in table]
    lines.insert(1, "|" + "---|" * left + "--:|" * (len(table[0]) - left))
    return "\n".join(lines)
