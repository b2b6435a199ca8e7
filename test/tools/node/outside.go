//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// outside is the process on the machine: it makes the namespaces, forwards ports, and cleans up.
func outside(s settings) {
	for _, folder := range []string{"lib", "log", "etc", "certs.d"} {
		check(os.MkdirAll(s.path(folder), 0o755))
	}
	sweep()
	check(claimSoon(cgroupName(s.Subnet)), "subnet", s.Subnet, "is in use:")
	s.Cgroups = makeCgroups(cgroupName(s.Subnet))
	s.V2 = s.V2 || (len(s.Cgroups) == 1 && s.Cgroups[0].v2())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)

	first, goOn, err := s.startInside()
	if err != nil {
		removeCgroups(s.Cgroups)
		check(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- first.Wait() }()
	if err := s.equip(first.Process.Pid); err != nil {
		_ = first.Process.Kill()
		s.cleanUp()
		check(err)
	}
	_, _ = goOn.Write([]byte("x"))
	goOn.Close()

	ports := make(chan string)
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			ports <- in.Text()
		}
		close(ports)
	}()
	status := 0
	for running := true; running; {
		select {
		case <-signals:
			running = false
		case port, open := <-ports:
			if !open {
				running = false
			} else if err := forward(first.Process.Pid, port); err != nil {
				fmt.Fprintln(os.Stderr, "node: forward:", err)
			}
		case err := <-gone:
			fmt.Fprintln(os.Stderr, "node: the node stopped by itself:", err)
			running, status = false, 1
			gone <- nil
		}
	}
	_ = first.Process.Kill()
	<-gone // with a PID namespace of its own, every process of the node is gone with its first
	s.cleanUp()
	os.Exit(status)
}

// startInside starts the first process of the node. It waits until a byte is written to goOn.
func (s settings) startInside() (first *exec.Cmd, goOn *os.File, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	wait, goOn, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer wait.Close()
	first = exec.Command(self, "inside", s.save())
	first.Stdout, first.Stderr, first.ExtraFiles = os.Stdout, os.Stderr, []*os.File{wait}
	first.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true,
		Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC}
	if !s.SharePid {
		first.SysProcAttr.Cloneflags |= unix.CLONE_NEWPID
	}
	return first, goOn, first.Start()
}

// equip gives the node its cgroups and its link, and writes info.json, which tells others where it is.
func (s settings) equip(pid int) error {
	for _, h := range s.Cgroups {
		if err := os.WriteFile(filepath.Join(h.Folder, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0); err != nil {
			return err
		}
	}
	if err := s.connect(pid); err != nil {
		return err
	}
	for _, n := range s.neighbours {
		if err := s.layCable(pid, n); err != nil {
			return err
		}
	}
	info, err := json.Marshal(map[string]any{"name": s.Name, "ip": s.nodeIP(), "hostIP": s.hostIP(), "subnet": s.Subnet + ".0/24",
		"pid": pid, "link": s.link(), "cgroup2Only": s.V2, "cgroups": s.Cgroups})
	return errors.Join(err, os.WriteFile(s.path("info.json"), info, 0o600))
}

func (s settings) cleanUp() {
	if link, err := netlink.LinkByName(s.link()); err == nil {
		_ = netlink.LinkDel(link)
	}
	removeCgroups(s.Cgroups)
	os.Remove(s.path("info.json"))
}
