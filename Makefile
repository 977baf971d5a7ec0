# Every target does what its line in `make help` says, from a bare checkout. T= chooses tests: make test T=sse
BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
TOOLS := tests/tools

.DEFAULT_GOAL := help
.PHONY: help demo test build check soak eval eval-extract bench format lint clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

demo: ## set everything up, then open a chat (or, without a terminal, hold a scripted one)
	@$(TOOLS)/packages.sh build
	@$(MAKE) --no-print-directory build
	@$(TOOLS)/demo.sh

test: ## set everything up, then run all tests in each Neovim
	@$(TOOLS)/packages.sh test
	@$(TOOLS)/test.sh $(T)

build: ## the host alone, release: build/bin/selfmind-host
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

check: ## test, then formatting, lint, help, sanitizers
	@$(TOOLS)/packages.sh check
	@$(TOOLS)/lint.sh
	@$(TOOLS)/sanitize.sh
	@$(TOOLS)/test.sh

soak: ## writers, Neovims, kills and 2,000 turns: SOAK_SECONDS=120 SOAK_KILLS=200 SOAK_TURNS=2000
	@$(TOOLS)/packages.sh soak
	@$(MAKE) --no-print-directory build
	@cmake --preset dev >/dev/null
	@cmake --build build/dev -j $(JOBS)
	@build/dev/bin/writers-soak
	@nvim=$$($(TOOLS)/neovim.sh 0.12) && export SELFMIND_NVIM=$$nvim && $$nvim -l tests/soak/run.lua && \
	  $$nvim -l tests/soak/kill.lua && SOAK_HOST=$(CURDIR)/build/bin $$nvim -l tests/soak/memory.lua

eval: SETS ?= $(wildcard tests/recall/*.jsonl)
eval: ## recall figures over SETS=files, and what they answer to each other's questions
	@$(TOOLS)/packages.sh build
	@$(MAKE) --no-print-directory build
	@build/bin/selfmind-host eval --unrelated $(SETS)

eval-extract: SETS ?= $(wildcard tests/extraction/*.jsonl)
eval-extract: ## what is learned from messages, over SETS=files: by the rules, or with MODEL=name, which costs money
	@$(TOOLS)/packages.sh build
	@$(MAKE) --no-print-directory build
	@build/bin/selfmind-host eval-extract $(if $(MODEL),--model $(MODEL)) $(SETS)

bench: ## speed: T=recall beside FTS5 and plain BM25, BENCH_SIZES=1000,10000,100000,1000000; T=stream beside plain writes
	@$(TOOLS)/packages.sh test
	@$(TOOLS)/bench.sh $(T)

format: ## format the C++ code in place
	@git ls-files 'native/*.h' 'native/*.cpp' 'tests/*.h' 'tests/*.cpp' | xargs clang-format -i

lint: ## formatting, luacheck, help tags
	@$(TOOLS)/lint.sh

clean: ## remove what was built
	@rm -rf build
