package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// server is a scripted model that runs as a process of its own.
type server struct {
	url    string
	cmd    *exec.Cmd
	in     io.Closer
	record string
	// asked is what the server was asked, after stop.
	asked asked
}

// serve starts a server that plays a script.
func (l *lab) serve(script string) (*server, error) {
	file, err := os.CreateTemp(l.dir, "script-")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.WriteString(script); err != nil {
		return nil, err
	}
	s := &server{record: file.Name() + ".requests"}
	s.cmd = exec.Command(l.model, "-script", file.Name(), "-record", s.record)
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.in = in
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("start the scripted model: %w", err)
	}
	s.url = strings.TrimSpace(line)
	return s, nil
}

// stop ends the server and reads what it was asked.
func (s *server) stop() error {
	s.in.Close()
	err := s.cmd.Wait()
	if err != nil {
		return fmt.Errorf("end the scripted model: %w", err)
	}
	s.asked, err = read(s.record)
	return errors.Join(err, os.Remove(s.record))
}
