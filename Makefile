# Two commands: `make balance` and `make test`.  Both set up a virtual environment of their own.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: balance test checks lint docs clean

balance: $(STAMP)
	$(BIN)/soundcheck balance overdrive --replays $(ARGS)

test: $(STAMP)
	$(BIN)/python -m tests.all

# Coverage, false verdicts and power of the statistics, counted on games that are really played; merging, symmetry.
checks: $(STAMP)
	$(BIN)/python -m pytest tests/experiments/test_checks.py tests/experiments/test_statistics.py \
		tests/experiments/test_sequential.py tests/experiments/test_paired.py tests/experiments/test_ratings.py \
		tests/experiments/test_holdings.py tests/experiments/test_merging.py tests/experiments/test_sameness.py

# The documentation as HTML, with every warning an error: docs/_build/index.html.
docs: $(STAMP)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build

lint: $(STAMP)
	$(BIN)/python -m tests.all --lint

# The environment is made anew when pyproject.toml changes or the folder was moved.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name it with: make PYTHON=python3.12 ..."; exit 2; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $(STAMP)

clean:
	rm -rf $(VENV) .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .benchmarks docs/_build docs/reference/generated
