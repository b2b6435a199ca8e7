//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// enter becomes the command, which sees the machine's files and processes, but the network of the node whose folder is
// given, and in it the names of Services as a pod does.
func enter(folder string, command []string) {
	text, err := os.ReadFile(filepath.Join(folder, "info.json"))
	check(err, "no node runs there:")
	var info struct{ Pid int }
	check(json.Unmarshal(text, &info))
	network, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", info.Pid))
	check(err, "the node is gone:")
	check(unix.Setns(int(network.Fd()), unix.CLONE_NEWNET))
	network.Close()
	check(unix.Unshare(unix.CLONE_NEWNS))
	check(unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	for _, name := range []string{"resolv.conf", "nsswitch.conf"} {
		check(unix.Mount(filepath.Join(folder, "etc", name), "/etc/"+name, "", unix.MS_BIND, ""), "mount /etc/"+name+":")
	}
	program, err := exec.LookPath(command[0])
	check(err)
	check(syscall.Exec(program, command, os.Environ()), program)
}
