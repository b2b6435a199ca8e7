//go:build linux

package main

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/vishvananda/netlink"
)

// hierarchy is one cgroup hierarchy of the machine.
type hierarchy struct {
	Mount   string `json:"mount"`   // where the machine has it, and the node as well
	Options string `json:"options"` // what to mount it with; empty for cgroup v2
	Folder  string `json:"folder"`  // the node's own folder in it, its root inside the node
}

func (h hierarchy) v2() bool { return h.Options == "" }

const cgroupPrefix = "testnode-"

func cgroupName(subnet string) string { return cgroupPrefix + subnet }

// makeCgroups makes a folder in each hierarchy: in v1 below the cgroup of this process, so that its limits still hold; in v2
// at the top, as a cgroup with processes in it cannot hand controllers down.
func makeCgroups(name string) (all []hierarchy) {
	own := ownCgroups()
	text, err := os.ReadFile("/proc/self/mountinfo")
	check(err)
	for line := range strings.Lines(string(text)) {
		left, right, _ := strings.Cut(line, " - ")
		place, kind := strings.Fields(left), strings.Fields(right)
		if len(kind) < 3 || (kind[0] != "cgroup" && kind[0] != "cgroup2") || !strings.HasPrefix(place[4], "/sys/fs/cgroup") {
			continue
		}
		h := hierarchy{Mount: place[4], Folder: filepath.Join(place[4], name)}
		if kind[0] == "cgroup" {
			var key string
			h.Options, key = v1Options(kind[2])
			if own[key] != "" {
				h.Folder = filepath.Join(h.Mount, own[key], name)
			}
		}
		check(os.MkdirAll(h.Folder, 0o755))
		if !h.v2() {
			fillCpuset(h.Folder)
		}
		all = append(all, h)
	}
	return all
}

// ownCgroups gives the cgroup of this process in each hierarchy, by the controllers of the hierarchy.
func ownCgroups() map[string]string {
	text, err := os.ReadFile("/proc/self/cgroup")
	check(err)
	own := map[string]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		own[fields[1]] = fields[2]
	}
	return own
}

// v1Options picks from the options of a mounted v1 hierarchy those that name it, and the name it has in /proc/self/cgroup.
func v1Options(mounted string) (options, key string) {
	var kept []string
	for option := range strings.SplitSeq(mounted, ",") {
		if name, named := strings.CutPrefix(option, "name="); named {
			kept, key = append(kept, "none", option), "name="+name
		} else if !slices.Contains([]string{"rw", "xattr", "clone_children"}, option) && !strings.HasPrefix(option, "release_agent") {
			kept = append(kept, option)
		}
	}
	options = strings.Join(kept, ",")
	if key == "" {
		key = options
	}
	return options, key
}

// fillCpuset copies the processors and memory of the parent: a new v1 cpuset has none and takes no process.
func fillCpuset(folder string) {
	for _, name := range []string{"cpuset.cpus", "cpuset.mems"} {
		if text, err := os.ReadFile(filepath.Join(folder, "..", name)); err == nil {
			_ = os.WriteFile(filepath.Join(folder, name), text, 0)
		}
	}
}

// removeCgroups kills what is left in the folders (only with --share-pid can there be anything) and removes them.
func removeCgroups(all []hierarchy) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		left := 0
		for _, h := range all {
			left += removeTree(h.Folder)
		}
		if left == 0 {
			return
		}
	}
	fmt.Fprintln(os.Stderr, "node: some cgroups could not be removed")
}

// removeTree tries once and returns how many folders are left.
func removeTree(top string) (left int) {
	var folders []string
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			folders = append(folders, path)
		}
		return nil
	})
	for _, folder := range slices.Backward(folders) {
		text, _ := os.ReadFile(filepath.Join(folder, "cgroup.procs"))
		for _, field := range strings.Fields(string(text)) {
			if pid, _ := strconv.Atoi(field); pid > 1 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if err := os.Remove(folder); err != nil && !os.IsNotExist(err) {
			left++
		}
	}
	return left
}

// claim holds a name that the kernel frees when this process dies, in whatever way.
func claim(name string) (net.Listener, error) { return net.Listen("unix", "@"+name) }

// claimSoon waits a little for somebody who holds the name only while he sweeps up after an earlier node of that name.
func claimSoon(name string) (err error) {
	for range 100 {
		if _, err = claim(name); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// sweep removes what a node left behind whose process on the machine was killed.
func sweep() {
	for _, h := range makeCgroups(cgroupPrefix + "sweep") {
		os.Remove(h.Folder)
		old, _ := filepath.Glob(filepath.Join(filepath.Dir(h.Folder), cgroupPrefix+"*"))
		for _, folder := range old {
			dead, err := claim(filepath.Base(folder))
			if err != nil {
				continue // alive
			}
			for i := 0; i < 100 && removeTree(folder) > 0; i++ {
				time.Sleep(10 * time.Millisecond)
			}
			s := settings{Subnet: strings.TrimPrefix(filepath.Base(folder), cgroupPrefix)}
			if link, err := netlink.LinkByName(s.link()); err == nil {
				_ = netlink.LinkDel(link)
			}
			dead.Close()
		}
	}
}
