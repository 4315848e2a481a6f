"""The README's first example is the demo `hello`, letter for letter."""

from __future__ import annotations

from tests.support.processes import ROOT, run_python

SCRIPT = ROOT / "demos" / "hello.py"


def test_the_readme_quotes_all_of_it_after_the_docstring() -> None:
    _, _, code = SCRIPT.read_text(encoding="utf-8").split('"""', 2)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"```python\n{code.strip()}\n```" in readme, f"README.md does not quote {SCRIPT.name} verbatim"


def output_of(*arguments: str) -> list[str]:
    """Return the output of Python for some arguments."""
    return run_python(*arguments).stdout.splitlines()


def test_the_demo_does_what_the_script_does() -> None:
    script = output_of(str(SCRIPT))
    demo = output_of("-m", "ecs_collide.demos", "hello", "--headless")
    assert script[0] == "1 2 (0.0, 1.0)"
    assert demo[: len(script)] == script
