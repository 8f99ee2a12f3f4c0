# Two commands matter: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run setup setup-dev test check bench screenshots gauntlet soak wheel clean

run: setup
	@$(BIN)/ankita

setup:
	@PYTHON=$(PYTHON) bash packaging/bootstrap.sh run

setup-dev:
	@PYTHON=$(PYTHON) bash packaging/bootstrap.sh dev

test: setup-dev check
	$(BIN)/python -m pytest -q -m sound tests
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not sound" tests

check: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: setup-dev
	$(BIN)/python -m tests.bench

screenshots: setup-dev
	$(BIN)/python -m tests.screenshots out/screenshots

gauntlet: setup-dev
	$(BIN)/python -m pytest -q tests/gauntlet

soak: setup-dev
	$(BIN)/python -m tests.bench.soak

wheel: setup
	$(BIN)/python -m pip wheel --no-deps -w dist .

clean:
	rm -rf build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis
