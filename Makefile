# The doors of the house. `make demo` and `make test` work on a bare Debian 12 with a Rust toolchain.
CARGO ?= cargo
PREFIX ?= $(HOME)/.local
# Where cargo puts what it builds, as cargo itself decides it.
TARGET = $(or $(CARGO_TARGET_DIR),target)

.PHONY: help setup setup-tests java build demo test bench corpus fmt clippy check install package

help:
	@echo 'make demo      the tour: builds whydunit and shows it on a bundled program'
	@echo 'make test      all tests, and the part of the corpus that fits'
	@echo 'make bench     the benchmarks: recording, spectrum and replay against plain builds; locate by phases'
	@echo 'make corpus    record and replay every program of the corpus'
	@echo 'make java      the tracer for Java, compiled and tested'
	@echo 'make fmt       format the sources'
	@echo 'make clippy    lints, warnings are errors'
	@echo 'make install   install below PREFIX ($(PREFIX))'
	@echo 'make package   a Debian package and a tarball, below $(TARGET)/packages'

setup:
	@scripts/setup.sh

setup-tests:
	@scripts/setup.sh --tests

# The tracer for Java is a part of the build where javac and ASM are; this compiles and tests it alone.
java: setup-tests
	$(CARGO) test --package whydunit-java

build: setup
	$(CARGO) build --release

demo: build
	$(TARGET)/release/whydunit demo

# Most tests wait for other processes half of the time: more of them at once than there are processors.
RUST_TEST_THREADS ?= $(shell echo $$(($$(nproc) * 3 / 2)))

# The tests have built the programs: `cargo build` would build all of it once more, since it takes other features of libraries than
# the tests do.
test: setup-tests
	RUST_TEST_THREADS=$(RUST_TEST_THREADS) $(CARGO) test --workspace
	WHYDUNIT=$(abspath $(TARGET))/debug/whydunit scripts/corpus.sh --ci zlib

bench: setup-tests build
	WHYDUNIT=$(abspath $(TARGET))/release/whydunit scripts/bench.sh
	WHYDUNIT=$(abspath $(TARGET))/release/whydunit scripts/score.sh --method ofc+cw --method ochiai

corpus: setup-tests build
	WHYDUNIT=$(abspath $(TARGET))/release/whydunit scripts/corpus.sh all

fmt:
	$(CARGO) fmt --all

clippy: setup
	$(CARGO) clippy --workspace --all-targets -- -D warnings

check: fmt clippy test

# Everything that is installed lies below TREE as it does below PREFIX: scripts/tree.sh lays it out, scripts/package.sh packs it.
TREE = $(TARGET)/release/tree

install: build
	scripts/tree.sh $(TREE)
	install -d $(DESTDIR)$(PREFIX)
	cp -R --no-preserve=ownership $(TREE)/. $(DESTDIR)$(PREFIX)

package: build
	scripts/package.sh
