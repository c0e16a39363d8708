package jsonl_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"assent/internal/jsonl"
)

// TestMain lets the test binary play the other process: the variable says
// which part.
func TestMain(m *testing.M) {
	switch os.Getenv("JSONL_TEST_ROLE") {
	case "":
		os.Exit(m.Run())
	case "shared":
		exit(playShared(os.Getenv("JSONL_TEST_FILE")))
	case "hold":
		exit(playHold(os.Getenv("JSONL_TEST_FILE")))
	case "full":
		exit(playFull(os.Getenv("JSONL_TEST_FILE"))) // on Unix only
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// sharedLines is how many lines each of the processes appends.
const sharedLines = 40

func playShared(path string) error {
	for i := range sharedLines {
		pad := strings.Repeat("x", i*97%5000)
		line := fmt.Sprintf(`{"pid":%d,"n":%d,"pad":%q}`, os.Getpid(), i, pad)
		if err := jsonl.Append(context.Background(), path, []byte(line)); err != nil {
			return err
		}
	}
	return nil
}

// playHold takes the file, says so, and keeps it until its input ends.
func playHold(path string) error {
	f, err := jsonl.Open(path)
	if err != nil {
		return err
	}
	if err := f.Append([]byte(`{"by":"holder"}`), true); err != nil {
		return err
	}
	fmt.Println("held")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	return f.Close()
}
