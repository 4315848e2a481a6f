"""`python -m build_kernels.cross`: make wheels of ecs_collide for other systems than this one, in `dist`."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from time import perf_counter

from build_kernels import backend
from build_kernels.build import build
from build_kernels.cross.inspect_modules import find_faults
from build_kernels.cross.kernel_archive import read_archive, write_archive
from build_kernels.cross.link import link_modules
from build_kernels.cross.machine_code import compile_objects, jobs_for
from build_kernels.cross.pack import find_wheel_faults, pack_wheel
from build_kernels.cross.targets import SYSTEMS

CACHE = Path("build", "cross")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m build_kernels.cross", description=__doc__)
    parser.add_argument("systems", nargs="*", choices=[*SYSTEMS, []], help=f"of {', '.join(SYSTEMS)}; all without one")
    parser.add_argument("--base", type=Path, required=True, help="a wheel of these sources for this machine")
    parser.add_argument("--kernels", type=Path, help="archive of bitcode of a release, instead of these sources")
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder for the wheels")
    options = parser.parse_args()
    os.environ.update(ECS_COLLIDE_BUILDING="1", NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    systems = {name: SYSTEMS[name] for name in options.systems or SYSTEMS}
    if options.kernels is None:
        built = build(Path("build", "kernels"), backend.host_triple(), "native", None)
        write_archive(built, options.out / f"{options.base.name.partition('-cp')[0]}-kernels.tar.xz")
    else:
        built = read_archive(options.kernels, CACHE / "kernels")
    folder = CACHE.resolve() / "objects"
    folder.mkdir(parents=True, exist_ok=True)
    of_system = {name: jobs_for(system, built.jobs, folder) for name, system in systems.items()}
    every = [job for jobs in of_system.values() for job in jobs]
    begun = perf_counter()
    for done in compile_objects(every):
        print(f"machine code: {done} files, {perf_counter() - begun:.0f} s", flush=True)
    failed = False
    for name, system in systems.items():
        begun, modules = perf_counter(), CACHE.resolve() / "modules" / name
        shutil.rmtree(modules, ignore_errors=True)
        linked = link_modules(system, of_system[name], built.sources, Path("ecs_collide"), CACHE.resolve(), modules)
        wheel = pack_wheel(options.base, system, modules, options.out)
        faults = [fault for module in linked for fault in find_faults(system, module)]
        faults += find_wheel_faults(system, wheel)
        failed |= bool(faults)
        seconds, size = perf_counter() - begun, wheel.stat().st_size / 1e6
        print(f"{wheel.name}: {size:.2f} MB, {seconds:.0f} s, {'; '.join(faults) or 'no faults'}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
