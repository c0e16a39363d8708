// Command cmd serves a scripted model on this machine, for tests and
// benchmarks of a separate process. It prints its base URL as the first line
// of stdout and ends when its standard input does.
//
//	go run ./internal/provider/providertest/cmd -script FILE [-addr 127.0.0.1:0] [-record FILE]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"assent/internal/provider/providertest"
)

func main() {
	if err := serve(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "scripted model:", err)
		os.Exit(1)
	}
}

// serve runs until stdin ends and then writes what was asked.
func serve(args []string, stdin io.Reader, stdout io.Writer) error {
	flags := flag.NewFlagSet("scripted model", flag.ContinueOnError)
	script := flags.String("script", "", "script file, see the package documentation of providertest")
	addr := flags.String("addr", "127.0.0.1:0", "address on this machine to listen at")
	record := flags.String("record", "", "file to write the requests to at the end, one JSON object a line")
	if err := flags.Parse(args); err != nil {
		return err
	}
	text, err := os.ReadFile(*script)
	if err != nil {
		return fmt.Errorf("read script: %w", err)
	}
	model, err := providertest.NewServer(string(text))
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(*addr)
	if err != nil {
		return fmt.Errorf("read -addr: %w", err)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return errors.New("read -addr: want an address of this machine, such as 127.0.0.1:0")
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", *addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	srv := &http.Server{Handler: model, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }() // ends with Close below
	if _, err := fmt.Fprintf(stdout, "http://%s\n", l.Addr()); err != nil {
		return errors.Join(err, srv.Close())
	}
	_, _ = io.Copy(io.Discard, stdin) // its end is ours, whatever ended it
	closed := srv.Close()
	if err := <-failed; err != nil && !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if *record != "" {
		return save(*record, model.Requests())
	}
	return closed
}

// save writes requests, their bodies as text.
func save(file string, requests []providertest.Request) error {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("record requests: %w", err)
	}
	enc := json.NewEncoder(f)
	for _, r := range requests {
		if err := enc.Encode(map[string]string{"method": r.Method, "path": r.Path, "body": string(r.Body), "problem": r.Problem}); err != nil {
			_ = f.Close() // the first error counts
			return fmt.Errorf("record requests: %w", err)
		}
	}
	return f.Close()
}
