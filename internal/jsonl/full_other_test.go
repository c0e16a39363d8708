//go:build !unix

package jsonl_test

func playFull(string) error { return nil }
