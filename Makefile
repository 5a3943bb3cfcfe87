# Every target sets up what it needs in .venv; after that nothing touches the network.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Threads of torch and llama.cpp: make repro THREADS=8
THREADS ?= 2
EXTRAS := pipeline,train,release,chat,live,dev
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/canvas-calendar-agent
LLAMA := $(shell sed -n 's/^llama-cpp-python==//p' constraints.txt)
LLAMA_WHEEL := $(CACHE)/$(shell uname -m)/llama-cpp-python-$(LLAMA)
PIP := .venv/bin/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt

export PATH := $(CURDIR)/.venv/bin:$(PATH)
export OMP_NUM_THREADS := $(THREADS)
# Threads that wait by spinning cost tenfold where another process has the core.
export OMP_WAIT_POLICY := PASSIVE
export HF_HUB_OFFLINE ?= 1
export HF_HUB_DISABLE_TELEMETRY := 1
export DVC_NO_ANALYTICS := 1

##@ The pipeline
.PHONY: repro audit profile
repro: .venv/full ## Reproduce every stage that is stale
	dvc repro

audit: .venv/light ## Reproduce the data stages and the audit; needs no torch
	dvc repro audit

profile: .venv/light ## Merge profiles/NAME.yaml into params.yaml: make profile NAME=gb10
	python -m canvas.profile "$(NAME)"

##@ Checks
.PHONY: test bench bench-agent lint
test: .venv/full ## Run the tests, the end-to-end run in a clean clone included
	python -m pytest

bench: .venv/full ## Run the benchmarks of tests/bench
	for file in tests/bench/bench_*.py; do python -m tests.bench.$$(basename $$file .py); done

bench-agent: .venv/full ## Score sft on every scenario, eight runs each
	python -m tests.bench.bench_agent

lint: .venv/full ## Check style, formatting and that the README's tables are true
	ruff check .
	ruff format --check .
	python -m canvas.report README.md --check

##@ Serving
# What to serve, and where: make serve-cpu MODEL=models/dpo PORT=8001
MODEL ?= models/sft
PORT ?= 8000
.PHONY: serve-cpu
serve-cpu: .venv-vllm/ready ## Serve a model with vLLM on the processor
	docker/vllm-cpu/serve $(MODEL) --port $(PORT)

.venv-vllm/ready: docker/vllm-cpu/build docker/vllm-cpu/requirements.txt | .venv/bin/python
	docker/vllm-cpu/build

##@ What is committed
.PHONY: base sample-data readme deps
base: .venv/full ## Grow the committed nano base model from nothing
	dvc repro audit
	python -m stages.base data/base data/sessions/recorded.jsonl data/pretrained .scratch/base --grow

sample-data: .venv/light ## Regrow the synthetic contributions of data/sample
	python -m canvas.sample --out data/sample

readme: .venv/light ## Write the generated parts of README.md
	python -m canvas.report README.md

deps: .venv/light ## Print the files that each stage reaches, as deps for dvc.yaml
	python -m canvas.deps

##@ The rest
.PHONY: setup clean help
setup: .venv/full ## Create .venv with everything pinned in constraints.txt

clean: ## Remove caches and checkpoints of killed runs; keeps .venv and DVC's cache
	rm -rf .scratch .pytest_cache .ruff_cache .hypothesis *.egg-info
	find data models metrics -name '.*.part' -prune -exec rm -rf {} +
	find canvas stages tests -name __pycache__ -prune -exec rm -rf {} +

help: ## List the targets
	@awk 'BEGIN {FS = ":.*## "} \
	  /^##@/ {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/bin/python:
	for python in $(PYTHON) python3.11 python3.12 python3; do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' 2>/dev/null; \
	  then exec "$$python" -m venv .venv; fi; \
	done; echo "No Python 3.11 or 3.12 on PATH; name one: make setup PYTHON=…" >&2; exit 1

.venv/light: pyproject.toml constraints.txt | .venv/bin/python
	$(INSTALL) pip
	$(INSTALL) --editable ".[pipeline]"
	touch $@

# torch first: what comes after it then pulls no second torch.
.venv/full: .venv/light
	$(INSTALL) torch
	$(MAKE) --no-print-directory $(LLAMA_WHEEL)
	$(INSTALL) --find-links $(LLAMA_WHEEL) --editable ".[$(EXTRAS)]"
	touch $@

# pip would reuse a wheel that other CMAKE_ARGS made, so this one is built outside its cache, once
# for all clones. GGML_NATIVE crashes on CPUs with AMX as soon as a quantised model gets a batch.
$(LLAMA_WHEEL):
	CMAKE_ARGS="-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF" $(PIP) wheel --quiet --no-cache-dir --no-deps \
	  --wheel-dir $@.$$PPID.part llama-cpp-python==$(LLAMA)
	test -d $@ && rm -rf $@.$$PPID.part || mv $@.$$PPID.part $@
