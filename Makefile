# make run [FOLDER=...]   opens the window; without a display it scans from the command line and writes a report
# make test [T=...]       lint, types, layers and tests, in an environment of its own; T: these tests alone
# make lint               formats, lints, checks types and layers
# make test-slow [T=...]  the tests that take minutes, one after the other
# make test-lowest        the tests on the oldest versions of all that the program needs
# make test-versions      the tests on every Python that is installed, with the newest versions of all that it needs
VENV   := .venv
PYTHON := $(VENV)/bin/python
PIP    := $(PYTHON) -m pip --quiet --disable-pip-version-check
FOLDER ?=

SUITE  ?=
T      ?=
N      ?= 3000 10000 30000
DIR    ?=
SHARED := --numprocesses auto --maxprocesses 6 --dist loadfile --no-loadscope-reorder # each file on one worker, in order
# Compiled modules are kept, whatever this shell says: the tests start hundreds of processes, and each would compile anew.
unexport PYTHONDONTWRITEBYTECODE
# Types on this system, and that the program uses nothing that Windows' or macOS' Python lacks.
TYPES  := $(MAKE) --no-print-directory -j 3 types types-win32 types-darwin
BENCH  := .venv-bench
FREEZE := .venv-freeze
LOWEST := .venv-lowest

.PHONY: run test tests test-slow test-lowest test-versions translations types types-win32 types-darwin lint quality mutants bench bench-scale bench-near bench-copies bench-reading bench-packages bench-hostile bench-busy bench-window bench-open bench-disk freeze clean

run: $(VENV)/.installed
	@packaging/linux/run.sh "$(FOLDER)"

ifeq ($(T),)
test: $(VENV)/.installed-dev
	@packaging/linux/qt-libraries.sh
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports
	$(MAKE) --no-print-directory -j 4 types types-win32 types-darwin tests
else
test: $(VENV)/.installed-dev
	@packaging/linux/qt-libraries.sh
	QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest -m "not slow" $(T)
endif

# Beside the types: where tests wait, a processor is free.
tests: $(VENV)/.compiled
	QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest -m "not slow" $(SHARED)

# What takes minutes: load by other processes, kills, faults of the disk, clusters, made hostile files; and the property
# tests with ten times as many examples, other ones each time.
test-slow: $(VENV)/.installed-dev
	@packaging/linux/qt-libraries.sh
	QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest -m "slow or hypothesis" --hypothesis-profile=thorough $(T)

# The same tests on the oldest version of each dependency that pyproject.toml allows.
test-lowest: $(LOWEST)/.installed
	QT_QPA_PLATFORM=offscreen $(LOWEST)/bin/python -m pytest -m "not slow" $(SHARED)

$(LOWEST)/.installed: pyproject.toml tests/lowest.py
	@python=$$(packaging/linux/python.sh) && "$$python" -m venv $(LOWEST)
	@$(LOWEST)/bin/python -m tests.lowest > $(LOWEST)/floors.txt
	@$(LOWEST)/bin/python -m pip --quiet --disable-pip-version-check install --use-pep517 --prefer-binary \
		--constraint $(LOWEST)/floors.txt --editable '.[dev]'
	@touch $@

# Collects every text for people into resources/translations, and compiles what is translated.
translations: $(VENV)/.installed-dev
	@$(PYTHON) packaging/translations/update.py

types:
	$(VENV)/bin/mypy

types-win32 types-darwin:
	$(VENV)/bin/mypy dupfinder --platform $(@:types-%=%) --no-warn-unreachable --cache-dir .mypy_cache/$(@:types-%=%)

lint: $(VENV)/.installed-dev
	@$(VENV)/bin/ruff format --quiet .
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .
	@$(TYPES)
	@$(VENV)/bin/lint-imports

# Every Python from 3.11 on that is found; one for which a dependency has no wheel is told and passed over.
test-versions:
	@SHARED='$(SHARED)' packaging/linux/versions.sh

quality: $(VENV)/.installed-dev
	@test -n "$(SUITE)" || { echo "usage: make quality SUITE=DIR" >&2; exit 2; }
	@$(PYTHON) -m tests.quality "$(SUITE)"

mutants: $(VENV)/.installed-dev
	@test -n "$(T)" || { echo "usage: make mutants T=dupfinder/cluster/relation.py" >&2; exit 2; }
	@$(PYTHON) -m tests.quality.mutants "$(T)"

bench: $(BENCH)/.installed
	@missed=0; for part in bench_index bench_fingerprint; do \
		$(BENCH)/bin/python -W ignore -m tests.speed.$$part || missed=1; \
	done; exit $$missed

# N: numbers of documents. Rows are made and stored, then matched; FILES=1 writes files and scans
# them; with GROUP=1 all are versions of one document.
bench-scale: $(VENV)/.installed-dev
	@$(PYTHON) -m tests.speed.bench_scale $(if $(FILES),--files,$(if $(GROUP),--group,--rows)) $(N)

# N: number of texts.
bench-near: $(BENCH)/.installed
	@$(BENCH)/bin/python -W ignore -m tests.speed.bench_near $(if $(filter command line,$(origin N)),$(N))

# N: number of files. Install rdfind, jdupes and fdupes for the comparison.
bench-copies: $(VENV)/.installed-dev
	@$(PYTHON) -m tests.speed.bench_copies $(if $(filter command line,$(origin N)),$(N))

bench-reading: $(BENCH)/.installed
	@test -n "$(DIR)" || { echo "usage: make bench-reading DIR=folder" >&2; exit 2; }
	@$(BENCH)/bin/python -W ignore -m tests.speed.bench_reading "$(DIR)"

bench-packages: $(VENV)/.installed-dev
	@test -n "$(DIR)" || { echo "usage: make bench-packages DIR=folder" >&2; exit 2; }
	@$(PYTHON) -W ignore -m tests.speed.bench_packages "$(DIR)"

bench-hostile: $(VENV)/.installed-dev
	@$(PYTHON) -m tests.speed.bench_hostile $(if $(DIR),"$(DIR)")

bench-busy: $(VENV)/.installed-dev
	@test -n "$(DIR)" || { echo "usage: make bench-busy DIR=folder" >&2; exit 2; }
	@$(PYTHON) -m tests.speed.bench_busy "$(DIR)"

bench-window: $(VENV)/.installed-dev
	@$(PYTHON) -m tests.speed.bench_window $(if $(filter command line,$(origin N)),--documents $(N))

bench-open: $(VENV)/.installed-dev
	@$(PYTHON) -m tests.speed.bench_open $(if $(filter command line,$(origin N)),--documents $(N))

# N: numbers of fingerprints, such as "1e6 1e7 1e8"; the last takes ten minutes and 6 GB of disk below DIR.
bench-disk: $(VENV)/.installed-dev
	@$(PYTHON) -m tests.speed.bench_disk $(if $(filter command line,$(origin N)),--counts $(N)) $(if $(DIR),--folder "$(DIR)")

# A folder that runs without Python, for the system it is built on; tried on the bundled library before it counts.
freeze: $(FREEZE)/.installed
	@$(FREEZE)/bin/pyinstaller --log-level ERROR --noconfirm --workpath $(FREEZE)/build --distpath dist \
		packaging/frozen/dupfinder.spec
	@DUPFINDER_HOME=$$(mktemp -d) dist/dupfinder/dupfinder scan resources/samples/library

$(FREEZE)/.installed: pyproject.toml packaging/constraints.txt
	@python=$$(packaging/linux/python.sh) && "$$python" -m venv $(FREEZE)
	@$(FREEZE)/bin/python -m pip --quiet --disable-pip-version-check install --use-pep517 \
		--constraint packaging/constraints.txt pyinstaller --editable .
	@touch $@

# The peers live apart from the product, each in a folder of its own; one that cannot be installed is named in the tables.
$(BENCH)/.installed: pyproject.toml packaging/constraints.txt tests/speed/peers.py
	@python=$$(packaging/linux/python.sh) && "$$python" -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip --quiet --disable-pip-version-check install --use-pep517 \
		--constraint packaging/constraints.txt --editable '.[dev]'
	@$(BENCH)/bin/python -m tests.speed.peers
	@touch $@

$(PYTHON):
	@python=$$(packaging/linux/python.sh) && "$$python" -m venv $(VENV)

$(VENV)/.installed: pyproject.toml packaging/constraints.txt | $(PYTHON)
	@echo "Setting up (once) ..." >&2
	@$(PIP) install --use-pep517 --constraint packaging/constraints.txt --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed pyproject.toml packaging/constraints.txt
	@$(PIP) install --constraint packaging/constraints.txt --editable '.[dev]'
	@touch $@

# Compiles the tests once for all workers, of which each would do it.
$(VENV)/.compiled: $(VENV)/.installed-dev
	@QT_QPA_PLATFORM=offscreen $(PYTHON) -m pytest --collect-only --quiet > /dev/null || true # its errors are told by the tests
	@touch $@

clean:
	rm -rf $(VENV) $(BENCH) $(FREEZE) $(LOWEST) dist
