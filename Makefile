# Targets install what they need and are quick when nothing is missing.
#   make demo        the whole story on a real control plane (KEEP=1 leaves it running)
#   make test        everything that must hold, `make check` included
#   make help        all targets

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# A Node.js of our own, when there is one, comes before the machine's.
export PATH := $(CURDIR)/.toolchain/node_modules/.bin:$(CURDIR)/node_modules/.bin:$(PATH)

ROOMS = api runtime kube contract evaluation operator gate webhook cli serve agent bpf policies
SOURCES = $(shell find $(ROOMS) -name '*.ts' -o -name '*.json' 2>/dev/null)
FOLDERS = $(shell find $(ROOMS) -type d 2>/dev/null)
GENERATED = lint-config crds pacto-validator findings-page

.PHONY: help setup tools build generate check format test acceptance demo bench clean

help: ## Show the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: node_modules/.installed ## Install Node.js (when too old), npm packages, and as root what a real node needs (SYSTEM=0 forbids that)
	@./test/tools/system-packages.sh

node_modules/.installed: package-lock.json package.json tools/node-toolchain.sh
	@./tools/node-toolchain.sh
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

tools: setup ## Build the Kubernetes programs that tests and demo run, those of a real node where there can be one
	node test/tools/build.ts

build: dist/.built ## Compile to dist/

# Folders are listed too: a file that was deleted changes its folder.
dist/.built: node_modules/.installed tsconfig.json tsconfig.build.json tools/bundle.ts $(SOURCES) $(FOLDERS)
	rm -rf dist
	tsc -p tsconfig.build.json
	cp -R contract/schema dist/contract/
	node tools/bundle.ts
	@touch $@

generate: setup ## Write the generated files again
	@for name in $(GENERATED); do node tools/$$name.ts; done

check: setup ## Types, lint, format, unused code, freshness of generated files, coverage of the specifications
	tsc -p .
	oxlint --type-aware --tsconfig tsconfig.json --deny-warnings
	biome format .
	knip
	@for name in $(GENERATED); do node tools/$$name.ts --check; done
	node tools/spec-coverage.ts

format: setup ## Format the sources
	biome format --write .

test: check build tools ## Run every test (make check first)
	node test/run.ts

acceptance: build tools ## Run the end-to-end stories on the newest and the oldest minor of Kubernetes that is built here
	node test/tools/build.ts testcluster-1.34
	for minor in 1.37 1.34; do PACTO_GATE_KUBERNETES=$$minor node test/run.ts 'test/{acceptance,demo}/*.test.ts'; done

demo: build tools ## Play the story: KEEP=1 leaves it running, WINDOW=20s sets the stabilization window
	node test/demo/main.ts $(if $(KEEP),--keep) $(if $(WINDOW),--stabilization-window $(WINDOW))

bench: build tools ## Measure, beside the baselines
	node test/bench/main.ts

clean: ## Remove what was built or installed here; the tool cache stays
	rm -rf dist node_modules .toolchain
