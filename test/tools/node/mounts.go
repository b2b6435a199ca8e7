//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func mount(source, target, kind string, flags uintptr, data string) {
	_ = os.MkdirAll(target, 0o755) // where it is there already, or cannot be made, the mount tells
	check(unix.Mount(source, target, kind, flags, data), "mount", target)
}

// mountAll gives the node file systems of its own, none of which shows on the machine. So every path has its usual place.
func (s settings) mountAll() {
	mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	if !s.SharePid {
		mount("proc", "/proc", "proc", 0, "")
	}
	mount("/proc/sys", "/proc/sys", "", unix.MS_BIND, "") // kubelet would set vm.* and kernel.* of the whole machine
	mount("none", "/proc/sys", "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
	s.pretendSysctls()
	mount("run", "/run", "tmpfs", 0, "mode=755")
	mount("proc", "/run/proc", "proc", 0, "")
	mount("/run/proc/sys/net", "/proc/sys/net", "", unix.MS_BIND, "") // the settings of this network namespace stay writable
	check(unix.Unmount("/run/proc", unix.MNT_DETACH))
	mount(s.path("lib"), "/var/lib", "", unix.MS_BIND, "")
	mount(s.path("log"), "/var/log", "", unix.MS_BIND, "")
	mount("sysfs", "/sys", "sysfs", 0, "") // shows the links of this network namespace
	mount("bpf", "/sys/fs/bpf", "bpf", 0, "")
	_ = unix.Mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, "") // not every kernel has these two
	_ = unix.Mount("debugfs", "/sys/kernel/debug", "debugfs", 0, "")
	s.mountCgroups()
	mount("none", "/", "", unix.MS_REC|unix.MS_SHARED, "") // for mountPropagation in pods
}

// wantedSysctls are the settings without which kubelet does not start; where they differ it would set them.
var wantedSysctls = map[string]string{
	"vm/overcommit_memory": "1", "vm/panic_on_oom": "0", "kernel/panic": "10", "kernel/panic_on_oops": "1",
	"kernel/keys/root_maxkeys": "1000000", "kernel/keys/root_maxbytes": "25000000",
}

// pretendSysctls shows kubelet the settings it wants, by files that cover the true ones, which stay as they are.
func (s settings) pretendSysctls() {
	check(os.MkdirAll(s.path("sysctl"), 0o755))
	for name, value := range wantedSysctls {
		target := "/proc/sys/" + name
		if _, err := os.Stat(target); err != nil {
			continue // this kernel has no such setting
		}
		file := s.path("sysctl", filepath.Base(name))
		check(os.WriteFile(file, []byte(value+"\n"), 0o644))
		check(unix.Mount(file, target, "", unix.MS_BIND, ""), "mount", target)
	}
}

func (s settings) mountCgroups() {
	if !s.V2 {
		mount("cgroup", "/sys/fs/cgroup", "tmpfs", 0, "mode=755")
	}
	for _, h := range s.Cgroups {
		switch {
		case !h.v2() && !s.V2:
			mount("cgroup", h.Mount, "cgroup", 0, h.Options)
			if names := strings.Split(filepath.Base(h.Mount), ","); len(names) > 1 {
				for _, name := range names { // the hierarchy cpu,cpuacct is also reached as cpu
					_ = os.Symlink(filepath.Base(h.Mount), filepath.Join(filepath.Dir(h.Mount), name))
				}
			}
		case h.v2() && s.V2:
			mount("cgroup2", "/sys/fs/cgroup", "cgroup2", 0, "")
			handDownControllers()
		case h.v2() && !s.V1: // beside v1: runc and kubelet find it and join containers to it as well
			mount("cgroup2", h.Mount, "cgroup2", 0, "")
		}
	}
}

// handDownControllers moves this process out of the root, as a cgroup with processes cannot hand controllers down.
func handDownControllers() {
	check(os.MkdirAll("/sys/fs/cgroup/node", 0o755))
	check(os.WriteFile("/sys/fs/cgroup/node/cgroup.procs", []byte(strconv.Itoa(os.Getpid())), 0))
	all, err := os.ReadFile("/sys/fs/cgroup/cgroup.controllers")
	check(err)
	for _, controller := range strings.Fields(string(all)) {
		_ = os.WriteFile("/sys/fs/cgroup/cgroup.subtree_control", []byte("+"+controller), 0) // kubelet says what it misses
	}
}
