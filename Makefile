# assent: one line a target; `make` lists them.
GO      ?= go
TOOL    := $(GO) tool -modfile=tools/go.mod
SYSTEMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
FUZZ    ?= 30s
FUZZ_ALL ?= 360
LAWS    ?= 1000000
KILLS   ?= 200
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

.PHONY: check
check: fmt vet lint test ## the commit gate: format, vet, lint, floors, tests

.PHONY: test
test: ## run every test
	$(GO) test $(TESTFLAGS) ./...

.PHONY: race
race: ## run every test with the race detector
	$(GO) test -race ./...

.PHONY: fmt
fmt: ## fail when a file is not formatted
	@out=$$($(TOOL) gofumpt -modpath assent -l cmd internal); [ -z "$$out" ] || { echo "not formatted (run make format):"; echo "$$out"; exit 1; }

.PHONY: format
format: ## format every file
	$(TOOL) gofumpt -modpath assent -w cmd internal

.PHONY: vet
vet: ## go vet
	$(GO) vet ./...

.PHONY: lint
lint: ## golangci-lint with .golangci.yml
	$(TOOL) golangci-lint run ./...

.PHONY: build
build: ## build bin/assent, stripped
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/assent ./cmd/assent

.PHONY: cross
cross: ## vet and build for every system
	@for s in $(SYSTEMS); do echo "build $$s"; \
	  GOOS=$${s%/*} GOARCH=$${s#*/} CGO_ENABLED=0 $(GO) vet ./cmd/... ./internal/... || exit 1; \
	  GOOS=$${s%/*} GOARCH=$${s#*/} CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/assent || exit 1; done

.PHONY: windows
windows: ## run the tests of what is different on Windows under Wine, where there is one
	@sh .ci/windows

.PHONY: fuzz
fuzz: ## fuzz every target for FUZZ each (default 30s)
	@sh .ci/fuzz each $(FUZZ)

.PHONY: fuzz-all
fuzz-all: ## fuzz every target, FUZZ_ALL seconds together (default 360)
	@sh .ci/fuzz together $(FUZZ_ALL)

.PHONY: laws
laws: ## hold the laws of the turn over LAWS random fact strings
	$(GO) test -run 'TestLaws$$' -timeout 20m ./internal/turn -laws $(LAWS)

.PHONY: kills
kills: ## kill the program at KILLS random points of a tool loop and go on
	ASSENT_KILLS=$(KILLS) $(GO) test -run 'TestKilledAtRandomPoints$$' -count 1 -timeout 20m -v ./cmd/assent

.PHONY: bench
bench: ## measure what the budgets name, beside the budgets
	$(GO) run ./internal/bench

.PHONY: picture
picture: ## draw docs/screen.svg anew, from the demo in a terminal
	$(GO) test -count=1 -run 'TestPicture$$' ./cmd/assent -update

.PHONY: update
update: ## rewrite the goldens
	$(GO) test $$(grep -rlE 'flag\.Bool\("update"' --include='*_test.go' cmd internal | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

.PHONY: cover
cover: ## coverage of the deciders
	$(GO) test -cover ./internal/shell ./internal/policy ./internal/guard ./internal/gate ./internal/turn ./internal/wireview ./internal/compact ./internal/compress ./internal/prompt ./internal/ignore ./internal/edit ./internal/redact ./internal/tui/screen
