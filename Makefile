# `make` alone lists the targets. Everything runs in .venv, which the first target that needs it sets up.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO_LOG ?= $(firstword $(sort $(wildcard agentactors/teams/diagnosis/data/*.log*)))

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-8s %s\n", $$1, $$2 }'

.PHONY: demo
demo: $(READY) ## Diagnose a failed package build from the bundled log, offline
	@test -n '$(DEMO_LOG)' || { echo 'make demo: the bundled log is missing from agentactors/teams/diagnosis/data' >&2; exit 1; }
	@echo '$$ agentactors diagnose $(DEMO_LOG)'
	@$(BIN)/agentactors diagnose '$(DEMO_LOG)'

.PHONY: test
test: $(READY) ## Run the whole test suite (ARGS="-k word" runs a part)
	$(BIN)/python -m pytest $(ARGS)

.PHONY: lint
lint: $(READY) ## Check style, format and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

.PHONY: types
types: $(READY) ## Check types, strictly
	$(BIN)/mypy

.PHONY: fmt
fmt: $(READY) ## Format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: docs
docs: $(READY) ## Write the pages that are made from the code
	$(BIN)/python docs/generate.py

.PHONY: bench
bench: $(READY) ## Run every benchmark, each beside its raw ceiling
	$(BIN)/python -m benchmarks all

.PHONY: setup
setup: $(READY) ## Set up .venv only

.PHONY: clean
clean: ## Remove build output and caches; .venv stays
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

# The environment is a file: it is brought up to date when a dependency or a pin has changed.
$(READY): pyproject.toml constraints.txt
	@python=; for one in python3.11 python3; do \
	  if "$$one" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then python=$$one; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo 'agentactors needs Python 3.11, 3.12 or 3.13: install one of them so that python3.11 or python3 starts it.' >&2; exit 1; \
	fi; \
	echo "Setting up $(VENV) with $$($$python --version) (about a minute, once)"; \
	"$$python" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
