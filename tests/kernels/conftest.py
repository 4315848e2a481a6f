"""Which tests are of what numba compiles: `make test-jit` runs them."""

from ecs_collide.kernels.kernel import WAY, Way

collect_ignore = (
    [
        "test_backend.py",
        "test_elementwise.py",
        "test_fingerprint.py",
        "test_jit.py",
        "test_stage_check.py",
        "test_workers.py",
    ]
    if WAY is Way.PREBUILT
    else []
)
