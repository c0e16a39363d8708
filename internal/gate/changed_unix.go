//go:build unix && !darwin && !freebsd && !netbsd

package gate

import (
	"syscall"
	"time"
)

func statusChange(s *syscall.Stat_t) time.Time { return time.Unix(s.Ctim.Unix()) }
