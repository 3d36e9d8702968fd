# make run [FOLDER=...]   opens the window; without a display it scans from the command line and writes a report
# make test               lint, types, layers and tests, in an environment of its own
VENV   := .venv
PYTHON := $(VENV)/bin/python
PIP    := $(PYTHON) -m pip --quiet --disable-pip-version-check
FOLDER ?=

.PHONY: run test lint format clean

run: $(VENV)/.installed
	@packaging/linux/run.sh "$(FOLDER)"

test: $(VENV)/.installed-dev
	@packaging/linux/qt-libraries.sh
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest -m "not slow"

lint: $(VENV)/.installed-dev
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

$(PYTHON):
	@python=$$(packaging/linux/python.sh) && "$$python" -m venv $(VENV)

$(VENV)/.installed: pyproject.toml packaging/constraints.txt | $(PYTHON)
	@echo "Setting up (once) ..." >&2
	@$(PIP) install --constraint packaging/constraints.txt --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed pyproject.toml packaging/constraints.txt
	@$(PIP) install --constraint packaging/constraints.txt --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-bench
