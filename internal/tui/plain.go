package tui

import "context"

func runPlain(ctx context.Context, h Host, o Options) (int, error) { return 0, nil }
