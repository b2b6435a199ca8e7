//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// claimFolder marks dir as in use by this process for as long as it lives, and removes such folders beside it whose
// process was killed before it could remove its own (a data folder of etcd alone takes over 100 MB). The function it
// returns removes dir.
func claimFolder(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("%s is in use by another cluster: %w", dir, err)
	}
	sweep(dir)
	return func() { os.RemoveAll(dir); lock.Close() }, nil
}

const lockName = ".cluster-up"

// sweep looks at the folders that share their name with dir up to the last dash, behind which stands what is random.
func sweep(dir string) {
	dash := strings.LastIndex(filepath.Base(dir), "-")
	if dash < 1 {
		return
	}
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), filepath.Base(dir)[:dash+1]+"*"))
	for _, other := range others {
		st, err := os.Stat(filepath.Join(other, lockName))
		if err != nil || time.Since(st.ModTime()) < 10*time.Second {
			continue // not one of ours, or so new that its owner may be about to lock it
		}
		if l, err := lockFolder(other); err == nil {
			os.RemoveAll(other)
			l.Close()
		}
	}
}

// lockFolder takes a lock that the kernel releases when this process ends. Children do not inherit it.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
