# Everything a fresh machine needs is Python 3.11 or later and make.
# The environment is made in .venv on first use; remove it with `make clean`.

PYTHON ?= python3
VENV := .venv
PACKAGE := --editable .
RUN := $(VENV)/bin/python
# On a terminal the compilation of the kernels shows its progress.
INSTALL = ECS_COLLIDE_PROGRESS=$$(tty -s && tty) $(RUN) -m pip install -qq --disable-pip-version-check
# Brings the module of kernels up to date, if their sources have changed since it was built.
FRESH = $(RUN) -m ecs_collide >/dev/null 2>&1 || $(MAKE) --no-print-directory build

.DEFAULT_GOAL := help
.PHONY: help demo test test-build test-docs test-cluster test-peers test-wheel test-frozen build wheel wheels release-check fuzz lint format benchmark docs figures clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

demo: $(VENV)/installed-demos ## play a billiard break and write it to build/billiards.gif
	@$(FRESH)
	@mkdir -p build
	$(RUN) -m ecs_collide.demos billiards --headless --frames 240 --out build/billiards.gif

test: $(VENV)/installed-test ## run the whole test suite, on all cores
	@$(FRESH)
	$(RUN) -m pytest --numprocesses auto --dist worksteal

test-build: $(VENV)/installed-dev ## run the tests that need numba or type checkers: of the build, of a game's own kernels, of types
	@$(FRESH)
	$(RUN) -m pytest tests/build_kernels tests/test_for_numba.py tests/types tests/documents/test_code_blocks.py

test-cluster: $(VENV)/installed-test $(VENV)/installed-cluster ## run many worlds on local clusters of Dask and Ray
	@$(FRESH)
	$(RUN) -m pytest tests/cluster

# Beside the environment: arcade needs another pymunk, and the plugin another esper.
PEERS := build/peers
test-peers: $(VENV)/installed-test $(VENV)/installed-benchmarks ## play the games of docs/coming_from in arcade, Box2D and old versions of esper
	@$(FRESH)
	$(INSTALL) --upgrade --target $(PEERS) arcade
	for version in 1.5 2.5; do $(INSTALL) --upgrade --no-deps --target $(PEERS)/esper_$$version esper==$$version || exit 1; done
	$(RUN) -m pytest -rs tests/documents/test_coming_from.py

# The tests come from the source distribution and the package from the wheel: its sources are removed beside the tests.
UNPACKED := build/unpacked
test-wheel: wheel ## test the wheel, in an environment of its own, without numba
	rm -rf $(UNPACKED)
	mkdir -p $(UNPACKED)
	tar -xzf dist/*.tar.gz -C $(UNPACKED) --strip-components=1
	rm -rf $(foreach name,ecs_collide components systems demos pytest_ecs_collide.py,$(UNPACKED)/$(name))
	$(MAKE) -C $(UNPACKED) .venv/installed-test PACKAGE=$$(echo $(CURDIR)/dist/*.whl)
	cd $(UNPACKED) && ln -s $$(.venv/bin/python -c "import ecs_collide; print(*ecs_collide.__path__)") ecs_collide
	cd $(UNPACKED) && for folder in components systems demos; do ln -s ecs_collide/$$folder $$folder; done
	$(MAKE) -C $(UNPACKED) test PACKAGE=$$(echo $(CURDIR)/dist/*.whl)

# A game of one file, made in an environment with the wheel and its dependencies only.
FROZEN := build/frozen
test-frozen: wheel ## freeze the README's first example with PyInstaller, and run it
	rm -rf $(FROZEN)
	$(PYTHON) -m venv $(FROZEN)
	$(FROZEN)/bin/python -m pip install -qq --disable-pip-version-check dist/*.whl pyinstaller
	cp demos/hello.py $(FROZEN)/hello.py
	cd $(FROZEN) && bin/pyinstaller --log-level WARN --onefile hello.py
	$(FROZEN)/dist/hello

build: $(RUN) ## bring the module of kernels up to date with the sources; with BOUNDSCHECK=1 it checks every index
	$(if $(BOUNDSCHECK),NUMBA_BOUNDSCHECK=$(BOUNDSCHECK) )$(INSTALL) --editable .
	@$(RUN) -m ecs_collide

wheel: $(RUN) ## make a wheel, with kernels for all instruction sets, and a source distribution, in dist
	@$(INSTALL) build
	rm -rf dist
	$(RUN) -m build --sdist --wheel --outdir dist .

wheels: $(VENV)/installed-cross ## make wheels for all systems, in dist; each is inspected, not run
	rm -rf dist build/base
	ECS_COLLIDE_CPUS=native $(RUN) -m build --sdist --wheel --outdir build/base .
	mkdir -p dist && mv build/base/*.tar.gz dist
	$(RUN) -m build_kernels.cross --base build/base/*.whl --out dist

release-check: wheels $(VENV)/installed-test ## make all wheels, install those that this machine can run, and run the README's example
	$(RUN) -m build_kernels.cross.release_check dist
	$(RUN) -m build_kernels.cross.try_wasm build/cross/modules/pyodide-wasm32/ecs_collide/_kernels.abi3.so -q -k "not elsewhere" tests/physics/test_same_bits_everywhere.py tests/character/test_ground.py tests/queries/test_shape_casts_from_inside.py

fuzz: $(VENV)/installed-test ## random operations and examples, others each time
	@$(FRESH)
	$(RUN) -m tests.fuzz --seconds 60
	$(RUN) -m pytest -q -m hypothesis --hypothesis-profile=random

lint: $(VENV)/installed-dev ## check style and types
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy

format: $(VENV)/installed-dev ## put the sources into the house format
	$(RUN) -m ruff check --fix
	$(RUN) -m ruff format

benchmark: $(VENV)/installed-benchmarks ## compare with other engines
	$(RUN) -m benchmarks

docs: $(VENV)/installed-docs ## build the documentation site in build/site
	@$(FRESH)
	$(RUN) -m build_docs

test-docs: $(VENV)/installed-docs ## build the site without its animations, to find dead links and warnings
	@$(FRESH)
	$(RUN) -m build_docs --quick

figures: $(VENV)/installed-docs ## draw the figures of docs/algorithms again
	for script in docs/algorithms/draw_*.py; do case $$script in *draw_style.py) ;; *) $(RUN) $$script || exit 1 ;; esac; done

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# One stamp file per set of extras, so that a second call is quick.
$(VENV)/installed-%: pyproject.toml setup.py $(wildcard ecs_collide/native/c_sources/*) | $(RUN)
	@echo "installing ecs_collide[$*] into $(VENV); the first time the kernels are compiled, which takes one or two minutes on two cores"
	@$(INSTALL) $(PACKAGE)[$*]
	@$(RUN) -m ecs_collide
	@touch $@

$(RUN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "ecs_collide needs Python 3.11 or later; '$(PYTHON)' is" \
			"$$($(PYTHON) --version 2>/dev/null || echo missing). Name another one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
