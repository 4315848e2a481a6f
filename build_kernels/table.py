"""The table of kernels in C, which `kernels.c` includes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeAlias

Row: TypeAlias = "tuple[str, dict[str, Any], list[Path]]"

FIRST_CLASS = ord("!")


def write(folder: Path, rows: list[Row], cpus: tuple[str, ...], sources: list[str]) -> None:
    """Write table.h, and objects.txt, which lists the object files."""
    classes = sorted({name for _, row, _ in rows for name in re.findall(r"\{(.*?)\}", "".join(row["takes"]))})
    lines = [
        "/* Written by build_kernels/table.py. */",
        f"#define LEVEL_COUNT {len(cpus)}",
        f"#define CLASS_COUNT {len(classes)}",
        f"static const char *const level_names[] = {{{_strings(cpus)}}};",
        f"static const char *const class_names[] = {{{_strings(classes)}}};",
        f"#define SOURCES {' '.join(_string(source + chr(10)) for source in sources)}",
    ]
    for name, _, _ in rows:
        lines += [f"extern int {symbol_of(name, cpu)}(const Word *, Word *);" for cpu in cpus]
    lines.append("static const Kernel kernels[] = {")
    for name, row, _ in rows:
        takes = re.sub(r"\{(.*?)\}", lambda m: f"B{chr(FIRST_CLASS + classes.index(m[1]))}", "".join(row["takes"]))
        codes = ", ".join(symbol_of(name, cpu) for cpu in cpus)
        lines.append(
            f"    {{{_string(name)}, {_string(takes)}, {_string(row['returns'])}, {len(row['takes'])}, {{{codes}}}}},"
        )
    lines.append("};")
    (folder / "table.h").write_text("\n".join(lines) + "\n")
    (folder / "objects.txt").write_text("\n".join(str(file) for _, _, objects in rows for file in objects))


def symbol_of(name: str, cpu: str) -> str:
    """Return the linker's name of a kernel's machine code."""
    return f"ecs_{name}_{cpu}".replace(".", "_").replace("-", "_")


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _strings(texts: Any) -> str:
    return ", ".join(map(_string, texts)) or "0"
