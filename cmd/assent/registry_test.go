package main

import (
	"flag"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"assent/internal/provider/providertest"
)

// updating is the switch that rewrites goldens.
var updating = flag.Bool("update", false, "rewrite the goldens")

// registry holds the model server of each running script.
type registry struct {
	mu  sync.Mutex
	all map[*testscript.TestScript]*providertest.Server
}

func (r *registry) put(ts *testscript.TestScript, s *providertest.Server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[ts] = s
}

func (r *registry) get(ts *testscript.TestScript) *providertest.Server {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[ts]
}
