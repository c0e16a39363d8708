#!/bin/bash
# Records what real tools print on small broken projects, for the tests of this
# package: the bytes as they come, with colours and what draws progress.
#
#   record.sh [FOLDER]     FOLDER (default /src/app) is made and stays.
#
# A name of the folder stands in many lines, so keep the default. Needed are go,
# cargo, gcc, make, python3 with pytest, node with npm, and script(1). A recording
# whose tool is missing is left as it was. versions.txt beside this says with what
# the recordings were made. What lasts (0.01s) differs each time: read the diff.
set -u
here=$(cd "$(dirname "$0")" && pwd)
app=${1:-/src/app}
mkdir -p "$app" && cd "$app" || exit 1
export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" CARGO_HOME="$app/self/cargo"
export LC_ALL=C.UTF-8 TZ=UTC COLUMNS=80 LINES=24 HOSTNAME=box USER=me HOME="$app/self"
export GOCACHE="$app/self/go-build" GOFLAGS=-mod=mod GOTOOLCHAIN=local GOTRACEBACK=single
export npm_config_cache="$app/self/npm" npm_config_update_notifier=false npm_config_fund=false npm_config_audit=false
mkdir -p "$HOME"

have() { command -v "$1" >/dev/null 2>&1; }

# record NAME FOLDER COMMAND keeps what a command prints on both its outputs.
record() {
	(cd "$2" && bash -c "$3" </dev/null >"$here/$1.raw" 2>&1)
	echo "$1: exit $?, $(wc -c <"$here/$1.raw") bytes"
}

# terminal is record of a command that has a terminal of 80 columns.
terminal() {
	(cd "$2" && TERM=xterm-256color script -qfec "stty cols 80 rows 24; $3" /dev/null </dev/null >"$here/$1.raw" 2>&1)
	echo "$1: exit $?, $(wc -c <"$here/$1.raw") bytes"
}

# --- go: -v over several packages; a panic, a race, a build that fails, a time-out
go_project() {
	rm -rf go && mkdir -p go/{cart,stock,tax,broken,slow,wide,quiet} && cd go
	cat >go.mod <<-'F'
	module example.org/shop

	go 1.25
	F
	cat >cart/cart.go <<-'F'
	// Package cart adds prices.
	package cart

	import "errors"

	// ErrEmpty says that nothing is in the cart.
	var ErrEmpty = errors.New("cart: empty")

	// Total adds prices.
	func Total(prices []int, tax int) (int, error) {
		if len(prices) == 0 {
			return 0, ErrEmpty
		}
		sum := 0
		for _, p := range prices {
			sum += p
		}
		return sum + sum*tax/1000, nil
	}
	F
	cat >cart/cart_test.go <<-'F'
	package cart

	import (
		"errors"
		"fmt"
		"testing"
	)

	func TestErrorsAreNamed(t *testing.T) {
		for i := range 60 {
			t.Run(fmt.Sprintf("error_%02d", i), func(t *testing.T) {
				if _, err := Total(nil, i); !errors.Is(err, ErrEmpty) {
					t.Errorf("error is %v", err)
				}
				t.Logf("failed as it should: error %d", i)
			})
		}
	}

	func TestTotals(t *testing.T) {
		for _, c := range []struct {
			name      string
			prices    []int
			tax, want int
		}{{"none", []int{1}, 0, 1}, {"two items", []int{1000, 200}, 0, 1200}, {"with tax", []int{1000, 250}, 20, 1500}, {"tax/reduced", []int{100}, 7, 107}} {
			t.Run(c.name, func(t *testing.T) {
				got, err := Total(c.prices, c.tax)
				if err != nil {
					t.Fatal(err)
				}
				if got != c.want {
					t.Errorf("total of %d items:\ngot  %d\nwant %d", len(c.prices), got, c.want)
				}
			})
		}
	}
	F
	cat >stock/stock.go <<-'F'
	// Package stock counts things.
	package stock

	// Shelf is what stands on a shelf.
	type Shelf struct{ items []int }

	// At is how many there are at a place.
	func (s *Shelf) At(i int) int { return s.items[i] }
	F
	cat >stock/stock_test.go <<-'F'
	package stock

	import (
		"fmt"
		"testing"
	)

	func TestEmptyShelf(t *testing.T) {
		for i := range 40 {
			t.Run(fmt.Sprint("place ", i), func(t *testing.T) { t.Parallel() })
		}
	}

	func TestShelfHasThree(t *testing.T) {
		s := Shelf{items: []int{1, 2, 3}}
		if n := s.At(3); n != 0 {
			t.Error(n)
		}
	}

	func TestNeverRuns(t *testing.T) {}
	F
	cat >tax/tax.go <<-'F'
	// Package tax keeps rates.
	package tax

	// Rates are the rates that were asked for.
	type Rates struct{ seen map[string]int }

	// Ask counts a rate.
	func (r *Rates) Ask(name string) { r.seen[name]++ }
	F
	cat >tax/tax_test.go <<-'F'
	package tax

	import (
		"sync"
		"testing"
	)

	func TestAskFromManySides(t *testing.T) {
		r := Rates{seen: map[string]int{}}
		var wg sync.WaitGroup
		for _, n := range []string{"full", "reduced"} {
			wg.Go(func() { r.Ask(n) })
		}
		wg.Wait()
	}
	F
	printf 'package broken\n\nimport "os"\n\nfunc Price() int { return price + "x" }\n\nfunc Other() string { return 3 }\n' >broken/broken.go
	printf 'package broken\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) { Price(1) }\n' >broken/broken_test.go
	cat >slow/slow_test.go <<-'F'
	package slow

	import "testing"

	func TestWaitsForever(t *testing.T) {
		done := make(chan int)
		<-done
	}
	F
	{
		printf 'package wide\n\nimport "testing"\n\n'
		for i in $(seq 120); do printf 'func TestHandlesFailure%d(t *testing.T) { t.Log("request failed as planned, retry %d") }\n' "$i" "$i"; done
	} >wide/wide_test.go
	printf 'package quiet\n' >quiet/quiet.go
	cd ..
}

# --- pytest and unittest
py_project() {
	rm -rf py && mkdir -p py/tests && cd py
	cat >shop.py <<-'F'
	import logging
	import warnings

	log = logging.getLogger("shop")


	class Cart:
	    def __init__(self, prices):
	        self.prices = prices

	    def total(self, tax=0):
	        warnings.warn("total() is deprecated", DeprecationWarning)
	        for p in self.prices:
	            log.info("adding %d", p)
	        return sum(self.prices) * (100 + tax) // 100


	def load(name):
	    try:
	        return {"a": 1}[name]
	    except KeyError as e:
	        raise ValueError(f"no such item: {name}") from e
	F
	cat >tests/test_cart.py <<-'F'
	import pytest

	from shop import Cart, load


	@pytest.fixture
	def database():
	    raise ConnectionRefusedError("no database on port 5432")


	@pytest.mark.parametrize("n", range(90))
	def test_error_is_told(n):
	    with pytest.raises(ValueError):
	        load(f"error {n}")


	@pytest.mark.parametrize("tax,want", [(0, 25), (20, 31), (7, 26)])
	def test_total_with_tax(tax, want):
	    print("computing", tax)
	    assert Cart([12, 13]).total(tax) == want


	def test_items_differ():
	    assert {"name": "cart", "items": list(range(12)), "open": True} == {"name": "cart", "items": list(range(11)), "open": False}


	def test_load():
	    load("zzz")


	def test_saved(database):
	    pass


	@pytest.mark.xfail(reason="not yet")
	def test_later():
	    assert False


	@pytest.mark.skip(reason="slow")
	def test_skipped():
	    pass
	F
	printf 'from stock import Shelf\n\n\ndef test_shelf():\n    assert Shelf()\n' >tests/test_stock.py
	{
		printf 'import pytest\n\n'
		for i in $(seq 40); do printf 'def test_failure_mode_%d():\n    pass\n\n\n' "$i"; done
	} >tests/test_modes.py
	cat >test_unit.py <<-'F'
	import unittest

	from shop import Cart, load


	class CartTest(unittest.TestCase):
	    def test_total(self):
	        self.assertEqual(Cart([12, 13]).total(20), 31)

	    def test_load(self):
	        load("zzz")

	    def test_many(self):
	        for i in range(3):
	            with self.subTest(i=i):
	                self.assertNotEqual(i, 1)


	def case(n):
	    return lambda self: self.assertTrue(True, f"error {n}")


	for n in range(150):
	    setattr(CartTest, f"test_error_{n:03d}", case(n))

	if __name__ == "__main__":
	    unittest.main()
	F
	cd ..
}

# --- jest, vitest, tsc, eslint, node's own runner, npm
web_project() {
	mkdir -p web && cd web
	rm -rf src tests unit lint node-tests
	mkdir -p src/models tests unit lint node-tests
	cat >package.json <<-'F'
	{
	  "name": "web", "version": "1.0.0", "private": true, "type": "commonjs",
	  "scripts": { "test": "jest", "build": "tsc -p .", "lint": "eslint lint" },
	  "devDependencies": { "eslint": "9", "jest": "30", "typescript": "5", "vitest": "3" }
	}
	F
	[ -d node_modules/jest ] || npm install --no-audit --no-fund >/dev/null 2>&1
	printf 'exports.total = (prices, tax = 0) => prices.reduce((a, b) => a + b, 0) * (100 + tax) / 100;\nexports.load = async name => { throw new Error("no such item: " + name); };\n' >src/cart.js
	cat >tests/cart.test.js <<-'F'
	const { total, load } = require('../src/cart');

	describe('cart', () => {
	  test('adds items', () => expect(total([12, 13])).toBe(25));
	  test('adds tax', () => {
	    console.log('computing tax');
	    expect(total([12, 13], 20)).toBe(31);
	  });
	  describe('items', () => {
	    test('are kept', () => {
	      expect({ name: 'cart', items: [1, 2, 3], open: true }).toEqual({ name: 'cart', items: [1, 2, 4], open: false });
	    });
	    test('are loaded', async () => { await load('zzz'); });
	    test.skip('are sorted', () => {});
	    test.todo('are saved');
	  });
	  for (let i = 0; i < 80; i++) test(`error ${i} is told`, () => { if (i % 20 === 0) console.error('failed as planned', i); });
	});
	F
	printf "const { gone } = require('../src/gone');\n\ntest('never runs', () => gone());\n" >tests/gone.test.js
	printf "test('broken', () => {\n  const x = ;\n});\n" >tests/syntax.test.js
	for i in $(seq 30); do printf "test('handles failure %d', () => {});\n" "$i" >"tests/model$i.test.js"; done
	printf "module.exports = { testMatch: ['<rootDir>/tests/**/*.test.js'], cacheDirectory: '<rootDir>/../self/jest' };\n" >jest.config.js
	cat >unit/cart.test.mjs <<-'F'
	import { describe, expect, test } from 'vitest';
	import { total, load } from '../src/cart.js';

	describe('cart', () => {
	  test('adds tax', () => { expect(total([12, 13], 20)).toBe(31); });
	  test('keeps items', () => { expect({ items: [1, 2, 3], open: true }).toEqual({ items: [1, 2, 4], open: false }); });
	  test('loads', async () => { await load('zzz'); });
	  for (let i = 0; i < 120; i++) test(`error ${i} is told`, () => {});
	});
	F
	printf "import { gone } from '../src/gone.js';\nimport { test } from 'vitest';\ntest('never runs', () => gone());\n" >unit/gone.test.mjs
	printf "import { defineConfig } from 'vitest/config';\nexport default defineConfig({ cacheDir: '../self/vite', test: { include: ['unit/**/*.test.mjs'] } });\n" >vitest.config.mjs
	cat >node-tests/cart.test.js <<-'F'
	const test = require('node:test');
	const assert = require('node:assert');
	const { total, load } = require('../src/cart');

	test('cart', async t => {
	  for (let i = 0; i < 60; i++) await t.test(`error ${i} is told`, () => {});
	  await t.test('adds tax', () => assert.strictEqual(total([12, 13], 20), 31));
	  await t.test('loads', () => load('zzz'));
	});
	F
	printf '{ "compilerOptions": { "strict": true, "noEmit": true, "target": "es2022", "module": "commonjs", "types": [], "noUnusedLocals": true, "extendedDiagnostics": true, "listFiles": true }, "include": ["src/**/*.ts"] }\n' >tsconfig.json
	printf 'export interface Item { name: string; price: number }\nexport function total(items: Item[]): number { return items.reduce((a, i) => a + i.price, 0); }\n' >src/item.ts
	printf "import { Item, total } from './item';\nimport { rate } from './rates';\n\nconst items: Item[] = [{ name: 'a', price: '3' }];\nconst sum: string = total(items, 1);\nexport const all = sum.toFixed(rate);\nfunction unused() {}\n" >src/cart.ts
	for i in $(seq 60); do printf "import { Item } from '../item';\nexport const error%d: Item = { name: 'error %d', price: %d };\n" "$i" "$i" "$i" >"src/models/model$i.ts"; done
	printf "import { Item } from '../item';\nexport const broken: Item = { name: 1, cost: 2 };\n" >src/models/broken.ts
	cat >eslint.config.js <<-'F'
	module.exports = [{ files: ['lint/**/*.js'], languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', console: 'readonly' } },
	  rules: { 'no-undef': 'error', 'no-unused-vars': 'warn', 'no-console': 'warn', eqeqeq: 'error', 'prefer-const': 'warn' } }];
	F
	for i in $(seq 40); do printf "let error%d = %d;\nlet spare = 1;\nconsole.log(error%d);\n" "$i" "$i" "$i" >"lint/file$i.js"; done
	printf "module.exports = function total(items) {\n  if (items == null) return nothing;\n  return sum(items);\n};\n" >lint/cart.js
	printf "module.exports = {\n  a: 1,,\n};\n" >lint/syntax.js
	cd ..
}

# --- cargo: a build that fails, tests that fail
rs_project() {
	rm -rf rs rsbad && mkdir -p rs/src rs/tests rsbad/src
	printf '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n' >rs/Cargo.toml
	sed 's/shop/bad/' rs/Cargo.toml >rsbad/Cargo.toml
	{
		printf 'pub fn total(prices: &[u32], tax: u32) -> u32 {\n    let unused = 1;\n    prices.iter().sum::<u32>() * (100 + tax) / 100\n}\n\n'
		printf 'pub fn load(name: &str) -> Result<u32, String> {\n    Err(format!("no such item: {name}"))\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n'
		printf '    #[test]\n    fn adds_tax() {\n        println!("computing tax");\n        assert_eq!(total(&[12, 13], 20), 31, "tax of two items");\n    }\n\n'
		printf '    #[test]\n    fn loads() {\n        load("zzz").unwrap();\n    }\n\n    #[test]\n    #[should_panic(expected = "empty")]\n    fn panics_when_empty() {\n        total(&[], 0);\n    }\n\n    #[test]\n    #[ignore]\n    fn slow() {}\n'
		for i in $(seq 150); do printf '\n    #[test]\n    fn error_%d_is_told() {}\n' "$i"; done
		printf '}\n'
	} >rs/src/lib.rs
	printf 'use shop::total;\n\n#[test]\nfn whole_cart() {\n    let v: Vec<u32> = vec![1, 2, 3];\n    let i = v.len();\n    assert!(total(&v, 0) == v[i]);\n}\n' >rs/tests/whole.rs
	{
		printf 'mod price;\n\nfn main() {\n    let total: String = price::all().iter().sum();\n    println!("{}", totl);\n    let owned = String::from("x");\n    let moved = owned;\n    println!("{owned}{moved}");\n}\n'
		for i in $(seq 25); do printf '\nfn error_unused_%d(value: u32) -> u32 {\n    let mut spare = 3;\n    7\n}\n' "$i"; done
	} >rsbad/src/main.rs
	printf 'pub fn all() -> Vec<u32> {\n    vec!["1", 2]\n}\n' >rsbad/src/price.rs
}

# --- make -j with gcc
c_project() {
	rm -rf c && mkdir -p c/src c/obj && cd c
	{
		printf 'SRC := $(wildcard src/*.c)\nOBJ := $(SRC:src/%%.c=obj/%%.o)\nCFLAGS := -O1 -Wall -Wextra -fdiagnostics-color=always\n\nall: bin lib\n\n'
		printf 'bin: $(OBJ)\n\t$(CC) -o $@ $^\n\nlib:\n\t$(MAKE) -C lib\n\nobj/%%.o: src/%%.c\n\t$(CC) $(CFLAGS) -c -o $@ $<\n'
	} >Makefile
	for i in $(seq 45); do printf '#include <stdio.h>\nint error_%d(int unused) { char *spare; printf("error %%d\\n", %d); return 0; }\n' "$i" "$i" >"src/error$i.c"; done
	printf '#include "token.h"\n\nint next(void) {\n\treturn tok;\n}\n' >src/parse.c
	printf '#include "missing.h"\n\nint lex(void) { return 1; }\n' >src/lex.c
	printf '#define LIMIT 3\nstruct token { int kind; };\n' >src/token.h
	printf 'int start_server(int);\nint main(void) { return start_server("x"); }\n' >src/main.c
	mkdir -p lib && printf 'all: ; @echo building the library; false\n' >lib/Makefile
	cp -r . ../clink
	(cd ../clink && rm -f src/parse.c src/lex.c && printf 'int start_server(int);\nint main(void) { return start_server(1); }\n' >src/main.c && sed -i 's/^all: bin lib/all: bin/' Makefile)
	cd ..
}

if have go; then
	go_project
	record gotest go "go test -v -timeout 5s ./..."
	record gotest-race go "go test -race -v ./tax ./wide"
fi
if /usr/bin/python3 -m pytest --version >/dev/null 2>&1; then
	py_project
	record pytest py "/usr/bin/python3 -m pytest -v --color=yes --continue-on-collection-errors -p no:cacheprovider"
	terminal pytest-terminal py "/usr/bin/python3 -m pytest --continue-on-collection-errors -p no:cacheprovider"
	record unittest py "/usr/bin/python3 -m unittest -v test_unit"
fi
if have npm; then
	web_project
	record jest web "npx jest --colors --verbose"
	terminal jest-terminal web "npx jest"
	record vitest web "FORCE_COLOR=1 npx vitest run --reporter=verbose"
	record node-test web "node --test node-tests/"
	record node-test-spec web "FORCE_COLOR=1 node --test --test-reporter=spec node-tests/"
	record tsc web "npx tsc -p . --pretty"
	record tsc-plain web "npm run build"
	record eslint web "npx eslint --color lint"
	record npm web "npm run nothing; npm ci --offline --ignore-scripts --prefix nowhere"
fi
if have cargo; then
	rs_project
	record cargo-test rs "CARGO_TERM_COLOR=always RUST_BACKTRACE=1 cargo test --offline --no-fail-fast"
	terminal cargo-build rsbad "cargo build --offline"
fi
if have make && have gcc; then
	rm -rf clink
	c_project
	record make c "make -j8 -k"
	record make-link clink "make -j4"
fi
{
	have go && go version
	/usr/bin/python3 --version && /usr/bin/python3 -m pytest --version
	have node && echo "node $(node --version), npm $(npm --version)"
	for p in jest vitest typescript eslint; do
		[ -f "web/node_modules/$p/package.json" ] && echo "$p $(node -p "require('./web/node_modules/$p/package.json').version")"
	done
	have cargo && cargo --version && rustc --version
	have make && make --version | head -1
	have gcc && gcc --version | head -1
} >"$here/versions.txt" 2>&1
