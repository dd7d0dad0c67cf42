# Everything here sets itself up: it needs Python 3.11 or newer, make, and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --progress-bar off -c constraints.txt
TORCH := $(shell grep '^torch==' constraints.txt)
LLAMA := $(VENV)/.llama
LLAMA_CPP := $(shell grep '^xllamacpp==' constraints.txt)
DRIVER := $(VENV)/.playwright
PLAYWRIGHT := $(shell grep '^playwright==' constraints.txt)
# How long make fuzz tries at least, and how many inputs for each property in one round; each round has other ones.
MINUTES ?= 1
EXAMPLES ?= 50
# The language model of bench-llm: gemma, or qwen, which is slower and better.
MODEL ?= qwen

# The models come with the extra `offline`: nothing is ever fetched from a model hub.
export HF_HUB_OFFLINE := 1
export TRANSFORMERS_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false

# What benchmarks of whole runs read, and the run over the handbook that others look at.
DOCS ?= corpora/handbook
RUN := outputs/bench
BENCHES := "retrieval_metrics.py" "compare_power.py" "baseline_gate.py 100" "calibrate_coverage.py" "judge_coverage.py 100 5" "score_speed.py" "pdf_speed.py" "extractors.py" "drift.py" "graph_scaling.py" "interval_coverage.py" "round_trip.py" \
	"answer_key.py $(RUN)" "structure_facts.py corpora/handbook" "yields.py $(RUN)" "planted_defects.py $(RUN) corpora/handbook 3" \
	"overhead.py $(DOCS)" "growth.py $(DOCS)" "killed.py $(DOCS)" "renewal.py $(DOCS)" "rule_yields.py $(DOCS)"
WITH_MODEL := "model_speed.py \$$OPENAI_BASE_URL" "with_model.py $(DOCS) $(MODEL)"

.PHONY: help demo demo-zh test fuzz test-slow test-llm test-browser check bench bench-llm clean

help:
	@echo "make demo       write a golden set from corpora/handbook, audit it, score two systems on it, and compare them"
	@echo "make demo-zh    the same for the Chinese handbook, corpora/handbook_zh, in outputs/demo_zh"
	@echo "make test       run the quick tests; PART=documents for those of one package"
	@echo "make fuzz       try hostile inputs made at random for a minute; MINUTES=10 for longer, EXAMPLES=50 for fewer in a round"
	@echo "make test-slow  run the slow tests"
	@echo "make test-llm   run the tests that need a language model; fetches one of 250 MB and serves it here"
	@echo "make test-browser  run the tests that need a browser: Chromium must be there; fetches Playwright"
	@echo "make check      lint, format, types, and the direction of imports"
	@echo "make bench      run the benchmarks one by one, but those that need people's questions; DOCS=folder for another corpus"
	@echo "make bench-llm  run the benchmarks that need a language model; fetches one of 1 GB and serves it here"
	@echo "make clean      remove the virtual environment and all caches; outputs stay"

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kgsynth needs Python 3.11 or newer: make PYTHON=python3.11")'
	@echo "setting up $(VENV) (once; some minutes)"
	@$(PYTHON) -m venv $(VENV)
	@echo "  installing $(TORCH), the large one"
	@$(PIP) "$(TORCH)"
	@echo "  installing the rest, and kgsynth itself"
	@$(PIP) -e '.[all,offline,dev]'
	@touch $@

$(LLAMA): $(READY)
	@echo "  installing $(LLAMA_CPP), a server of language models"
	@$(PIP) "$(LLAMA_CPP)"
	@touch $@

$(DRIVER): $(READY)
	@echo "  installing $(PLAYWRIGHT), which drives a browser"
	@$(PIP) "$(PLAYWRIGHT)"
	@touch $@

demo: SUFFIX :=
demo-zh: SUFFIX := _zh
demo demo-zh: $(READY)
	$(BIN)/kgsynth generate corpora/handbook$(SUFFIX) -n 60 -o outputs/demo$(SUFFIX) --fresh
	$(BIN)/kgsynth audit outputs/demo$(SUFFIX)/golden.jsonl --docs corpora/handbook$(SUFFIX)
	$(BIN)/kgsynth score outputs/demo$(SUFFIX)/golden.jsonl --rag bm25 --docs corpora/handbook$(SUFFIX) -o outputs/demo$(SUFFIX)/bm25
	$(BIN)/kgsynth score outputs/demo$(SUFFIX)/golden.jsonl --rag hybrid --docs corpora/handbook$(SUFFIX) -o outputs/demo$(SUFFIX)/hybrid
	$(BIN)/kgsynth compare outputs/demo$(SUFFIX)/bm25 outputs/demo$(SUFFIX)/hybrid

test: $(READY)
	$(BIN)/python -m pytest -n 2 -m "not slow and not llm and not browser" $(if $(PART),tests/$(PART) $(wildcard kgsynth/$(PART)))

fuzz: $(READY)
	@end=$$(($$(date +%s) + 60 * $(MINUTES))); while :; do \
		EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest --hypothesis-profile=fuzz tests/*/test_fuzz_*.py || exit 1; \
		[ $$(date +%s) -lt $$end ] || break; done

test-slow: $(READY)
	$(BIN)/python -m pytest -m slow

test-llm: $(LLAMA)
	$(BIN)/python tests/gguf_models.py gemma
	$(BIN)/python -m pytest -m llm

test-browser: $(DRIVER)
	$(BIN)/python -m pytest -m browser

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_house_*.py

# The benchmarks measure what embedding costs.
bench bench-llm: export KGSYNTH_CACHE := off

bench: $(READY)
	$(BIN)/kgsynth generate corpora/handbook -o $(RUN) -n 60 -q --fresh
	@set -e; for each in $(BENCHES); do echo; echo "benchmarks/$$each"; $(BIN)/python benchmarks/$$each; done

bench-llm: $(LLAMA)
	$(BIN)/python tests/llama_server.py $(MODEL) -- sh -ec 'for each in $(WITH_MODEL); do eval $(BIN)/python benchmarks/$$each; done'

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
