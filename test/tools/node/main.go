//go:build linux

// Program node runs a real Kubernetes node (containerd, kubelet and, when asked, kube-proxy) in PID, mount, network, cgroup,
// UTS and IPC namespaces of its own.
//
//	node --dir D --pki P --name N --subnet 10.244.77 [--bin B] [--proxy nftables|iptables|none] [--cgroup auto|v1|v2] [--share-pid] [--neighbour PID,SUBNET]…
//	node enter D COMMAND…      runs a command in the network of the node with that folder, where Services have names
//
// Of the machine nothing is changed but one end of a veth pair and one folder in each cgroup hierarchy, both removed at the
// end. The first process of the PID namespace holds everything, so when this program dies, even by SIGKILL, the kernel ends
// every process, mount and link of the node.
//
// It lives until its standard input closes or SIGTERM, SIGINT or SIGHUP arrives. Each line on standard input is a TCP port:
// connections to it inside the node (at 127.0.0.1 and at the node's address) reach the same port of the machine's 127.0.0.1.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Namespaces and the death signal of a child belong to threads: both processes do all that matters on the first one.
func init() { runtime.LockOSThread() }

// settings is what the process outside hands to the one inside.
type settings struct {
	Dir, Pki, Bin, Name string
	Subnet              string // first three numbers of the /24 of the pods
	Proxy               string // mode of kube-proxy: nftables, iptables or none
	SharePid            bool   // use the machine's PID namespace
	V1, V2              bool   // the node sees cgroup v1 only, v2 only; neither: as on the machine
	Cgroups             []hierarchy
	neighbours          []neighbour
}

func (s settings) path(names ...string) string {
	return filepath.Join(append([]string{s.Dir}, names...)...)
}
func (s settings) program(name string) string { return filepath.Join(s.Bin, name) }
func (s settings) nodeIP() string             { return s.Subnet + ".1" }
func (s settings) hostIP() string             { return s.Subnet + ".254" }
func (s settings) link() string               { return "tn" + s.Subnet } // at most 13 letters; a link may have 15

// check ends the program on an error; what is cleaned up then is said where it is called.
func check(err error, what ...any) {
	if err != nil {
		fmt.Fprintln(os.Stderr, append(append([]any{"node:"}, what...), err)...)
		os.Exit(1)
	}
}

func main() {
	switch {
	case filepath.Base(os.Args[0]) == "runc":
		runWithoutLimits()
	case len(os.Args) == 3 && os.Args[1] == "inside":
		inside(os.Args[2])
	case len(os.Args) > 3 && os.Args[1] == "enter":
		enter(os.Args[2], os.Args[3:])
	default:
		outside(parse())
	}
}

func parse() settings {
	var s settings
	flag.StringVar(&s.Dir, "dir", "", "folder for data and logs")
	flag.StringVar(&s.Pki, "pki", "", "folder with ca.crt, kubelet.{crt,key,kubeconfig} and proxy.kubeconfig")
	flag.StringVar(&s.Bin, "bin", "", "folder with the programs of the node (default: where this one is)")
	flag.StringVar(&s.Name, "name", "node-1", "name of the Node")
	flag.StringVar(&s.Subnet, "subnet", "10.244.77", "first three numbers of the /24 for pods; .1 is the node, .254 the machine")
	flag.StringVar(&s.Proxy, "proxy", "none", "mode of kube-proxy: nftables, iptables or none")
	cgroup := flag.String("cgroup", "auto", "auto: as on the machine; v1: hide v2 beside v1 from the node; v2: show v2 only")
	flag.Func("neighbour", "another node, as PID,SUBNET: its pods and those of this one reach each other (repeatable)", s.addNeighbour)
	flag.BoolVar(&s.SharePid, "share-pid", false, "use the machine's PID namespace")
	flag.Parse()
	s.V1, s.V2 = *cgroup == "v1", *cgroup == "v2"
	if s.Bin == "" {
		self, err := os.Executable()
		check(err)
		s.Bin = filepath.Dir(self)
	}
	for _, folder := range []*string{&s.Dir, &s.Pki, &s.Bin} {
		var err error
		*folder, err = filepath.Abs(*folder)
		check(err)
	}
	check(s.visible(s.Dir))
	for _, name := range []string{"testcluster", "containerd", "containerd-shim-runc-v2", "ctr", "runc", "bridge", "loopback", "host-local"} {
		file, err := filepath.EvalSymlinks(s.program(name))
		check(err, "a program of the node is missing:")
		check(s.visible(file))
	}
	return s
}

// visible refuses a path that the node cannot see, as it has folders of its own in that place.
func (s settings) visible(path string) error {
	for _, hidden := range []string{"/run/", "/var/run/", "/var/lib/", "/var/log/", "/proc/", "/sys/"} {
		if strings.HasPrefix(path, hidden) {
			return fmt.Errorf("%s is below %s, where the node has folders of its own: use another place", path, hidden)
		}
	}
	return nil
}

func (s settings) save() string {
	text, err := json.Marshal(s)
	check(err)
	check(os.WriteFile(s.path("settings.json"), text, 0o600))
	return s.path("settings.json")
}

func load(file string) (s settings) {
	text, err := os.ReadFile(file)
	check(err)
	check(json.Unmarshal(text, &s))
	return s
}
