package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// asked sums up what a server was asked.
type asked struct {
	// Sent are the bytes of all requests, First those of system text and tool
	// schemas of the first one.
	Sent, First int
	// Shared is the smallest share, in per cent, of a request's items that the
	// next one begins with, cache marks left out.
	Shared float64
	// Problem is why a request was refused, empty when none was.
	Problem string
}

// read sums up a record of requests. It does so in a process of its own: the
// bodies are large, and a child that is measured later would be blamed for the
// memory that they took here.
func read(file string) (asked, error) {
	self, err := os.Executable()
	if err != nil {
		return asked{}, err
	}
	out, err := exec.Command(self, "-sum", file).Output()
	if err != nil {
		return asked{}, fmt.Errorf("sum up the requests: %w", err)
	}
	var a asked
	return a, json.Unmarshal(out, &a)
}

// sum is read's other half: it prints the summary of a record.
func sum(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	a := asked{Shared: 100}
	before := ""
	for d := json.NewDecoder(f); d.More(); {
		var r struct{ Body, Problem string }
		if err := d.Decode(&r); err != nil {
			return err
		}
		if a.Problem == "" {
			a.Problem = r.Problem
		}
		a.Sent += len(r.Body)
		now, fixed := plain(r.Body)
		if before == "" {
			a.First = fixed
		} else {
			a.Shared = min(a.Shared, 100*float64(common(before, now))/float64(len(before)))
		}
		before = now
	}
	return json.NewEncoder(os.Stdout).Encode(a)
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// plain is system, tools and messages of a request, without cache marks and
// without the bracket that ends the messages; fixed is the size of the first
// two.
func plain(body string) (text string, fixed int) {
	var r struct{ System, Tools, Messages json.RawMessage }
	if json.Unmarshal([]byte(body), &r) != nil {
		return "", 0
	}
	s := string(r.Tools) + string(r.System) + strings.TrimSuffix(string(r.Messages), "]")
	return strings.ReplaceAll(s, `,"cache_control":{"type":"ephemeral"}`, ""), len(r.System) + len(r.Tools)
}
