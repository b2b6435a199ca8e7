//go:build linux

package main

import (
	"os"
	"sync"
	"syscall"
	"time"
)

var (
	mu      sync.Mutex
	waiting = map[int]chan int{} // by process id, for the exit status
)

// spawn starts a program with its output in a file; the channel gives its exit status. It must run on the first thread.
func spawn(output, program string, arguments ...string) <-chan int {
	out, err := os.OpenFile(output, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	check(err)
	defer out.Close()
	null, err := os.Open(os.DevNull)
	check(err)
	defer null.Close()
	mu.Lock() // so that reap cannot see the end of a process it does not know yet
	defer mu.Unlock()
	pid, err := syscall.ForkExec(program, append([]string{program}, arguments...), &syscall.ProcAttr{Env: os.Environ(),
		Files: []uintptr{null.Fd(), out.Fd(), out.Fd()}, Sys: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}})
	check(err, program)
	waiting[pid] = make(chan int, 1)
	return waiting[pid]
}

// reap collects every child: the programs of the node and the orphans of the shims.
func reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if err != nil { // there is no child at the moment
			time.Sleep(20 * time.Millisecond)
			continue
		}
		mu.Lock()
		if c := waiting[pid]; c != nil {
			c <- status.ExitStatus()
			delete(waiting, pid)
		}
		mu.Unlock()
	}
}
