//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

const containerdSocket = "/run/containerd/containerd.sock"

// inside is the first process in the node's namespaces: it mounts, makes the bridge, writes the configuration, and runs the
// programs of the node. When it ends, the node has ended.
func inside(file string) {
	s := load(file)
	goOn := os.NewFile(3, "go on")
	if n, _ := goOn.Read(make([]byte, 1)); n != 1 {
		os.Exit(1) // the process outside gave up
	}
	goOn.Close()
	check(unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) // shims become children of this process, also with --share-pid
	check(unix.Unshare(unix.CLONE_NEWCGROUP))                  // of this thread, the only one that starts processes
	check(unix.Sethostname([]byte(s.Name)))
	s.mountAll()
	s.makeBridge()
	s.configure()
	check(os.Setenv("PATH", s.Bin+":"+os.Getenv("PATH"))) // containerd looks for its shim there
	go reap()

	ended := make(chan string, 4)
	run := func(name, program string, arguments ...string) {
		done := spawn(s.path(name+".log"), s.program(program), arguments...)
		go func() { ended <- fmt.Sprintf("%s ended with %d; see %s", name, <-done, s.path(name+".log")) }()
	}
	run("containerd", "containerd", "-c", s.path("etc", "containerd.toml"))
	awaitSocket(containerdSocket, ended)
	run("kubelet", "testcluster", "kubelet", "--config="+s.path("etc", "kubelet.json"),
		"--kubeconfig="+filepath.Join(s.Pki, "kubelet.kubeconfig"), "--node-ip="+s.nodeIP(), "--hostname-override="+s.Name)
	if s.Proxy != "none" {
		run("proxy", "testcluster", "proxy", "--config="+s.path("etc", "proxy.json"), "--hostname-override="+s.Name)
	}
	s.importImages()
	check(fmt.Errorf("%s", <-ended))
}

func awaitSocket(path string, ended <-chan string) {
	for {
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
			return
		}
		select {
		case why := <-ended:
			check(fmt.Errorf("%s", why))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// importImages brings in every image that lies beside the programs; the sandbox image must be among them.
func (s settings) importImages() {
	files, err := filepath.Glob(filepath.Join(s.Bin, "*.tar"))
	check(err)
	for _, file := range files {
		if code := <-spawn(s.path("ctr.log"), s.program("ctr"), "-n", "k8s.io", "image", "import", "--local", file); code != 0 {
			check(fmt.Errorf("cannot import %s; see %s", file, s.path("ctr.log")))
		}
	}
}
