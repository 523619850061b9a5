# moviesync: what a person does with this folder. `make help` lists it.

PREFIX     ?= /usr/local
SYSCONFDIR ?= /etc
DESTDIR    ?=

BINDIR  = $(PREFIX)/bin
# What the daemon starts, and nobody else.
LIBEXECDIR = $(PREFIX)/libexec/moviesync
LIBDIR  = $(PREFIX)/lib
DATADIR = $(PREFIX)/share
# journald reads catalogs from this one place.
CATALOGDIR = /usr/lib/systemd/catalog

# A target may import only what Package.swift declares for it.
SWIFT_BUILD   = swift build --explicit-target-dependency-import-check error
# The Swift libraries go into the binaries: where they run, no Swift needs to be installed.
# Nobody looks their symbols up by name, so that what nothing calls is left out; and of ICU's data what is needed is linked.
RELEASE_BUILD = $(SWIFT_BUILD) -c release --static-swift-stdlib -Xlinker --no-export-dynamic \
	$$(scripts/icu-data .build/icu-data.o)
RELEASE       = .build/release
SOURCES       = Package.swift Sources $(wildcard Tests)

.DEFAULT_GOAL := help
.PHONY: help setup build demo test acceptance browser real-clients fuzz check format docs bench install deb image uninstall

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## Install the system packages that are missing (apt)
	@scripts/setup

build: setup ## Build the programs for use (.build/release)
	$(RELEASE_BUILD) --product moviesyncd
	$(RELEASE_BUILD) --product moviesync
	$(RELEASE_BUILD) --product moviesync-picture

demo: setup ## Watch two nodes and a hub become equal (DEMO=stay leaves them running)
	@DEMO="$(DEMO)" scripts/demo

test: check ## Check and run all tests
	@scripts/setup --test
	python3 -m unittest Tests/Acceptance/test_scripts.py Tests/Acceptance/test_programs.py \
		Tests/Acceptance/test_packages.py
	swift test --skip-build --skip SimulationTests
	# By itself: it keeps every core busy, and others have deadlines.
	swift test --skip-build --filter SimulationTests
	python3 -m unittest Tests/Acceptance/test_nodes.py Tests/Acceptance/test_firebase*.py Tests/Acceptance/test_accounts.py \
		Tests/Acceptance/test_systemd.py
	Tests/Acceptance/web
	Tests/RealClients/run

acceptance: setup ## Whole nodes on a hub, driven from outside and killed at bad moments
	swift build --product moviesyncd
	python3 -m unittest --verbose Tests/Acceptance/test_nodes.py

browser: setup ## The web page in a real browser (needs PyPI and Chromium; pictures in artefacts/web)
	@scripts/setup --test
	swift build --product moviesyncd
	Tests/Acceptance/web

real-clients: setup ## The server judged by Firebase's own clients and by curl (needs PyPI)
	@scripts/setup --test
	swift build --product moviesyncd
	python3 -m unittest Tests/Acceptance/test_firebase*.py
	Tests/RealClients/run

fuzz: setup ## Mutated input for every reader of foreign bytes (FUZZ_SECONDS=60 each, FUZZ_SEED, TARGET)
	scripts/fuzz $(TARGET)

soak: setup ## Simulate whole nodes with faults for hours (SOAK_HOURS, or SOAK_SEEDS; SOAK_FIRST, SOAK_STEPS=200)
	$(RELEASE_BUILD) --product moviesyncd
	$(RELEASE)/moviesyncd simulate --rules config/database.rules.json --seed $(or $(SOAK_FIRST),1) \
		--steps $(or $(SOAK_STEPS),200) \
		$(if $(SOAK_SEEDS),--seeds $(SOAK_SEEDS),--seeds 1000 --hours $(or $(SOAK_HOURS),1))

check: setup ## Formatting, layers, and a build of everything with warnings as errors
	swift format lint --strict --parallel --recursive $(SOURCES)
	scripts/check-layers
	$(SWIFT_BUILD) --build-tests

format: ## Format the sources in place
	swift format --in-place --parallel --recursive $(SOURCES)

docs: setup ## Write the keys into docs/configuration.md and config/moviesync.yaml
	swift build --product moviesyncd
	scripts/docs

bench: ## Measure the whole thing (ONLY=figure, COUNT=films)
	@scripts/setup --bench
	$(RELEASE_BUILD) --product moviesyncd
	$(RELEASE_BUILD) --product moviesync
	scripts/bench $(if $(ONLY),--only $(ONLY)) $(if $(COUNT),--count $(COUNT))

install: ## Install under PREFIX (/usr/local); DESTDIR is honoured; run `make build` first
	@test -x $(RELEASE)/moviesyncd && test -x $(RELEASE)/moviesync && test -x $(RELEASE)/moviesync-picture || \
		{ echo "install: nothing is built yet: run make build" >&2; exit 1; }
	install -D -m 0755 $(RELEASE)/moviesyncd $(DESTDIR)$(BINDIR)/moviesyncd
	# The same file, which looks by what name it is called.
	ln -sf moviesyncd $(DESTDIR)$(BINDIR)/moviesync
	install -D -m 0755 $(RELEASE)/moviesync-picture $(DESTDIR)$(LIBEXECDIR)/moviesync-picture
	install -d $(DESTDIR)$(LIBDIR)/systemd/system
	sed -E -e 's#^(Exec[A-Za-z]+=[-@:+!]*)[^ ]*/(moviesyncd?)( |$$)#\1$(BINDIR)/\2\3#' \
		-e 's#/etc/moviesync/#$(SYSCONFDIR)/moviesync/#g' systemd/moviesyncd.service \
		> $(DESTDIR)$(LIBDIR)/systemd/system/moviesyncd.service
	chmod 0644 $(DESTDIR)$(LIBDIR)/systemd/system/moviesyncd.service
	install -D -m 0644 -t $(DESTDIR)$(LIBDIR)/systemd/system systemd/moviesyncd.socket systemd/moviesyncd-web.socket
	install -D -m 0644 systemd/moviesyncd.service.d/10-notify-reload.conf \
		$(DESTDIR)$(DATADIR)/moviesync/10-notify-reload.conf
	sed -E -e 's#^(Exec[A-Za-z]+=[-@:+!]*)[^ ]*/(moviesyncd?)( |$$)#\1$(BINDIR)/\2\3#' systemd/moviesync-hub.service \
		> $(DESTDIR)$(LIBDIR)/systemd/system/moviesync-hub.service
	chmod 0644 $(DESTDIR)$(LIBDIR)/systemd/system/moviesync-hub.service
	install -D -m 0644 systemd/moviesync-hub.sysusers.conf $(DESTDIR)$(LIBDIR)/sysusers.d/moviesync-hub.conf
	install -D -m 0644 systemd/moviesync.logrotate $(DESTDIR)$(DATADIR)/moviesync/moviesync.logrotate
	scripts/manual $(RELEASE) $(DESTDIR)$(DATADIR)/moviesync/manual
	for section in 1 5 8; do install -D -m 0644 -t $(DESTDIR)$(DATADIR)/man/man$$section \
		$(DESTDIR)$(DATADIR)/moviesync/manual/man$$section/*; done
	install -D -m 0644 $(DESTDIR)$(DATADIR)/moviesync/manual/bash/moviesync \
		$(DESTDIR)$(DATADIR)/bash-completion/completions/moviesync
	install -D -m 0644 $(DESTDIR)$(DATADIR)/moviesync/manual/zsh/_moviesync \
		$(DESTDIR)$(DATADIR)/zsh/site-functions/_moviesync
	install -D -m 0644 $(DESTDIR)$(DATADIR)/moviesync/manual/fish/moviesync.fish \
		$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/moviesync.fish
	rm -rf $(DESTDIR)$(DATADIR)/moviesync/manual
	install -D -m 0644 systemd/moviesync.sysusers.conf $(DESTDIR)$(LIBDIR)/sysusers.d/moviesync.conf
	install -D -m 0644 systemd/moviesync.tmpfiles.conf $(DESTDIR)$(LIBDIR)/tmpfiles.d/moviesync.conf
	install -D -m 0644 systemd/moviesync.catalog $(DESTDIR)$(CATALOGDIR)/moviesync.catalog
	install -D -m 0644 config/database.rules.json $(DESTDIR)$(DATADIR)/moviesync/database.rules.json
	install -D -m 0644 config/moviesync.yaml $(DESTDIR)$(DATADIR)/moviesync/moviesync.yaml
	test -e $(DESTDIR)$(SYSCONFDIR)/moviesync/moviesync.yaml || \
		install -D -m 0644 config/moviesync.yaml $(DESTDIR)$(SYSCONFDIR)/moviesync/moviesync.yaml
	@test -n "$(DESTDIR)" || printf '%s\n' "" "Installed. Next, as root:" \
		"  systemd-sysusers && systemd-tmpfiles --create" \
		"  journalctl --update-catalog && systemctl daemon-reload" \
		"  moviesyncd check-config --config $(SYSCONFDIR)/moviesync/moviesync.yaml" \
		"  systemctl enable --now moviesyncd"

deb: build ## Make the Debian packages moviesync and moviesync-hub (.build/deb)
	scripts/package $(RELEASE) .build/deb

image: build ## Make a folder with the programs and what they need, for a container that runs as nobody (.build/image)
	scripts/image $(RELEASE) .build/image

uninstall: ## Remove what install put under PREFIX; configuration and data stay
	rm -f $(DESTDIR)$(BINDIR)/moviesyncd $(DESTDIR)$(BINDIR)/moviesync
	rm -rf $(DESTDIR)$(LIBEXECDIR)
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/systemd/system/,moviesyncd.service moviesyncd.socket moviesyncd-web.socket \
		moviesync-hub.service)
	rm -f $(DESTDIR)$(LIBDIR)/sysusers.d/moviesync-hub.conf
	rm -f $(addprefix $(DESTDIR)$(DATADIR)/,man/man1/moviesync.1 man/man5/moviesync.yaml.5 man/man8/moviesyncd.8 \
		bash-completion/completions/moviesync zsh/site-functions/_moviesync fish/vendor_completions.d/moviesync.fish)
	rm -f $(DESTDIR)$(LIBDIR)/sysusers.d/moviesync.conf $(DESTDIR)$(LIBDIR)/tmpfiles.d/moviesync.conf
	rm -f $(DESTDIR)$(CATALOGDIR)/moviesync.catalog
	rm -rf $(DESTDIR)$(DATADIR)/moviesync
