//go:build unix && !linux

package walk

import (
	"time"

	"golang.org/x/sys/unix"
)

func modified(st *unix.Stat_t) time.Time { return time.Unix(st.Mtim.Unix()) }
