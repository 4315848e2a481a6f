"""The systems for which wheels are made, one row each."""

from __future__ import annotations

from typing import NamedTuple


class System(NamedTuple):
    """A system and processor, in the terms of each tool."""

    triple: str
    """LLVM's name, for machine code."""
    zig: str
    """zig's name, for C files and linking; the number behind it is the oldest glibc or macOS."""
    tags: tuple[str, ...]
    """Platform tags of the wheel, the one of its file name first."""
    numpy: str
    """Platform tag of the numpy wheel whose headers are used."""
    cpus: tuple[str, ...] = ("generic",)
    """Processors for which there is machine code, see `backend.FEATURE_LEVELS`."""

    @property
    def family(self) -> str:
        """Return "windows", "macos", "emscripten" or "linux"."""
        return next((name for name in ("windows", "macos", "emscripten") if name in self.zig), "linux")

    @property
    def processor(self) -> str:
        """Return "x86_64", "aarch64" or "wasm32"."""
        return self.zig.partition("-")[0]

    @property
    def is_musl(self) -> bool:
        """True for Linux with musl instead of glibc."""
        return "musl" in self.zig

    @property
    def suffix(self) -> str:
        """Ending of the file name of an extension module."""
        return ".pyd" if self.family == "windows" else ".abi3.so"


X86 = ("x86-64", "x86-64-v3", "x86-64-v4")
LINUX_X86, LINUX_ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"

SYSTEMS = {
    "manylinux-x86_64": System(
        LINUX_X86,
        "x86_64-linux-gnu.2.17",
        ("manylinux_2_17_x86_64", "manylinux2014_x86_64"),
        "manylinux_2_28_x86_64",
        X86,
    ),
    "manylinux-aarch64": System(
        LINUX_ARM,
        "aarch64-linux-gnu.2.17",
        ("manylinux_2_17_aarch64", "manylinux2014_aarch64"),
        "manylinux_2_28_aarch64",
    ),
    # The machine code of glibc serves musl too: it calls libm alone, and calling conventions are the same.
    "musllinux-x86_64": System(LINUX_X86, "x86_64-linux-musl", ("musllinux_1_2_x86_64",), "musllinux_1_2_x86_64", X86),
    "musllinux-aarch64": System(LINUX_ARM, "aarch64-linux-musl", ("musllinux_1_2_aarch64",), "musllinux_1_2_aarch64"),
    "windows-x86_64": System("x86_64-pc-windows-gnu", "x86_64-windows-gnu", ("win_amd64",), "win_amd64", X86),
    "macos-arm64": System(
        "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", ("macosx_11_0_arm64",), "macosx_11_0_arm64"
    ),
    "macos-x86_64": System(
        "x86_64-apple-macosx10.13.0", "x86_64-macos.10.13", ("macosx_10_13_x86_64",), "macosx_10_13_x86_64", X86[:2]
    ),
    # Python in a browser. The C files use no more of numpy's headers than the sizes of any system with 32 bits.
    "pyodide-wasm32": System(
        "wasm32-unknown-emscripten", "wasm32-emscripten", ("pyemscripten_2026_0_wasm32",), "win32"
    ),
}
"""Systems by name. No Mac has AVX-512 and runs no Rosetta, so macOS on x86-64 has two instruction sets."""
