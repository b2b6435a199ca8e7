//go:build linux

package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
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
	s.serveNames()
	check(os.Setenv("PATH", s.Bin+":"+os.Getenv("PATH"))) // containerd looks for its shim there
	go reap()

	ended := make(chan end, 4)
	run := func(name, program string, arguments ...string) {
		done := spawn(s.path(name+".log"), s.program(program), arguments...)
		go func() {
			status := <-done
			ended <- end{name, fmt.Errorf("%s ended with %d; its log %s ends with:\n%s", name, status, s.path(name+".log"), tail(s.path(name+".log")))}
		}()
	}
	run("containerd", "containerd", "-c", s.path("etc", "containerd.toml"))
	awaitSocket(containerdSocket, ended)
	kubelet := func() {
		run("kubelet", "testcluster", "kubelet", "--config="+s.path("etc", "kubelet.json"),
			"--kubeconfig="+filepath.Join(s.Pki, "kubelet.kubeconfig"), "--node-ip="+s.nodeIP(), "--hostname-override="+s.Name)
	}
	kubelet()
	if s.Proxy != "none" {
		run("proxy", "testcluster", "proxy", "--config="+s.path("etc", "proxy.json"), "--hostname-override="+s.Name)
	}
	s.importImages()
	for restarts := 0; ; restarts++ {
		e := <-ended
		if e.program != "kubelet" || restarts == kubeletRestarts {
			check(e.why)
		}
		fmt.Fprintln(os.Stderr, "node: starting kubelet again:", e.why)
		kubelet()
	}
}

// kubeletRestarts is how often kubelet is started again. It gives up when the runtime does not answer at once, which it may
// not on a busy machine, and counts on somebody who starts it again, which on other nodes is systemd.
const kubeletRestarts = 5

// end is that of a program of the node.
type end struct {
	program string
	why     error
}

// tail returns the last lines of a log, which is usually where the reason is; the file may go with its folder.
func tail(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], "\n")
}

func awaitSocket(path string, ended <-chan end) {
	for {
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
			return
		}
		select {
		case e := <-ended:
			check(e.why)
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
