# Everything a fresh machine needs is Python 3.11 or later and make.
# The environment is made in .venv on first use; remove it with `make clean`.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz lint format benchmark docs clean

help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

demo: $(VENV)/installed-demos ## play a billiard break and write it to build/billiards.gif
	@mkdir -p build
	$(RUN) -m ecs_collide.demos billiards --headless --frames 240 --out build/billiards.gif

test: $(VENV)/installed-test ## run the whole test suite, on all cores
	$(RUN) -m ecs_collide compile
	$(RUN) -m pytest --numprocesses auto --dist worksteal

fuzz: $(VENV)/installed-test ## random operations and examples, others each time
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

docs: $(VENV)/installed-docs ## draw the figures of docs/algorithms again
	for script in docs/algorithms/draw_*.py; do case $$script in *draw_style.py) ;; *) $(RUN) $$script || exit 1 ;; esac; done

clean: ## remove the environment and everything that was built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# One stamp file per set of extras, so that a second call is quick.
$(VENV)/installed-%: pyproject.toml setup.py ecs_collide/columns/_cells.c | $(RUN)
	@echo "installing ecs_collide[$*] into $(VENV)"
	@$(RUN) -m pip install -qq --disable-pip-version-check --editable '.[$*]'
	@touch $@

$(RUN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "ecs_collide needs Python 3.11 or later; '$(PYTHON)' is" \
			"$$($(PYTHON) --version 2>/dev/null || echo missing). Name another one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
