# Commands to run, build and change Postern. All work from a fresh clone.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

CORE := $(shell find core wasm -name '*.rs' -o -name Cargo.toml 2>/dev/null | grep -v '^wasm/pkg') Cargo.toml
SERVER := $(CORE) $(shell find server gate migrations locales .cargo -type f 2>/dev/null) Cargo.lock
DOCS := $(shell find docs deploy -type f -not -path '*/node_modules/*' -not -path 'docs/.vitepress/dist/*' -not -path 'docs/.vitepress/cache/*' 2>/dev/null) \
  gate/README.md $(wildcard gate/*.service) wasm/README.md CHANGELOG.md .env.example
FRONT := $(shell find frontend/src frontend/public -type f 2>/dev/null) frontend/index.html frontend/vite.config.ts frontend/package-lock.json

export PORT ?= 8080

.PHONY: help run build release test journeys check dev gen bench-wasm bench-api bench-gate bench-seller bench-web torture attack fuzz setup setup-test screenshots

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

run: ## install dependencies, build, fill a demo shop, serve it on PORT (8080)
	@scripts/build.sh debug
	@. scripts/stages.sh; stage "the demo shop" target/debug/postern demo
	@echo "Postern is at http://127.0.0.1:$(PORT)"
	@exec scripts/run.sh

build: ## install dependencies and build fully optimised, without demo data
	@scripts/build.sh release

release: ## pack a release into target/releases: an archive and Debian packages, with checksums, licences and lists of dependencies
	@scripts/release.sh

test: ## run all tests, on SQLite and PostgreSQL, in Node and Chromium
	@scripts/test.sh

journeys: setup-test wasm/pkg/package.json frontend/dist/index.html ## play every journey in both languages, where `make test` plays one of each pair; in Chromium, on SQLite
	@cargo build --quiet --workspace --bins --examples
	@scripts/journeys.sh

check: setup wasm/pkg/package.json ## check formatting, lints, types, generated files, unit tests
	@scripts/check.sh

dev: setup wasm/pkg/package.json ## run the server, and the front end with hot reload
	@scripts/dev.sh

gen: setup wasm/pkg/package.json ## regenerate constants and API types
	@scripts/generate.sh

fuzz: ## fuzz the parsers, 10 minutes per target; MINUTES=1 for less
	@scripts/fuzz.sh $(or $(MINUTES),10)

torture: setup-test ## random customers, a lying gateway, killed servers and gates: 5 minutes on SQLite, 5 on PostgreSQL; MINUTES=1 for less
	@scripts/torture.sh $(or $(MINUTES),5)

attack: setup-test ## the gate and the server: smuggled requests, encoded paths, bombs, floods, slow clients, absurd input for every call; then schemathesis; on SQLite and PostgreSQL
	@scripts/attack.sh

screenshots: setup-test wasm/pkg/package.json frontend/dist/index.html ## screenshots of every screen into frontend/e2e/screenshots, with an index.html; WIDTHS=360 for less
	@cargo build --quiet -p postern-server
	@cd frontend && node e2e/screenshots.mjs $(SCREEN)

bench-seller: setup-test ## time operators' screens of a shop with a million accounts on PostgreSQL against 300 ms; ORDERS=1000000 for less
	@scripts/bench-seller.sh

bench-wasm: setup-test wasm/pkg/package.json bench/node_modules/.package-lock.json ## benchmark the wasm package in Node and Chromium
	@node scripts/bench-wasm.mjs

bench-api: setup-test frontend/dist/index.html ## benchmark lists, purchases, static files, traffic and memory of the server against bare handlers; ONLY=static for one part
	@scripts/bench-api.sh

bench-gate: setup-test ## benchmark new tunnels of the gate against Squid, the bytes of one against a bare copy loop, and the memory of 10,000
	@scripts/bench-gate.sh

bench-web: setup-test frontend/dist/index.html bench/node_modules/.package-lock.json ## benchmark the sign-in screen, the proxy list, the endpoint generator, actions until the next paint and Lighthouse scores in Chromium; ONLY=login for one part
	@cargo build --quiet --release -p postern-server -p postern-bench-api
	@node scripts/bench-web.mjs

bench/node_modules/.package-lock.json: bench/package-lock.json
	@cd bench && npm ci --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

setup:
	@scripts/setup.sh build

setup-test:
	@scripts/setup.sh test

wasm/pkg/package.json: $(CORE) $(wildcard wasm/face/js/*.js wasm/js/*.js) wasm/README.md scripts/wasm.sh scripts/finish-wasm-package.mjs | setup
	@echo "building the wasm package"
	@mkdir -p target && (scripts/wasm.sh build >target/wasm-build.log 2>&1 || { tail -40 target/wasm-build.log; exit 1; })

docs/.vitepress/dist/index.html: $(DOCS) scripts/docs.sh
	@echo "building the documentation"
	@mkdir -p target && scripts/docs.sh build >target/docs-build.log 2>&1 || { tail -40 target/docs-build.log; exit 1; }

# The server serves this folder, the documentation in it.
frontend/dist/index.html: $(FRONT) wasm/pkg/package.json docs/.vitepress/dist/index.html
	@echo "building the front end"
	@cd frontend && npm run --silent build -- --logLevel warn
	@cp -r docs/.vitepress/dist frontend/dist/docs

target/release/postern target/debug/postern: $(SERVER)
	@echo "building the server (a few minutes the first time)"
	@cargo build --quiet $(if $(findstring release,$@),--release) -p postern-server -p postern-gate
	@touch $@
