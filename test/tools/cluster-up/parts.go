package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	serviceRange   = "10.96.0.0/16"
	firstServiceIP = "10.96.0.1" // the Service default/kubernetes
)

// allParts lists the parts in the order in which they can start.
var allParts = []string{"etcd", "apiserver", "controller-manager", "scheduler", "registry", "node-1", "node-2"}

// part is one program of the cluster. A part with leash is another of our own programs, ends when its standard input
// closes, and cleans up then; the others have nothing to clean up.
type part struct {
	program string
	flags   []string
	ready   func() bool
	leash   bool
}

// program finds the executable of a control plane part: a file of that name in the assets folder, else the built one.
func (o options) program(file, subcommand string) (path string, first []string) {
	if o.assets != "" {
		path = filepath.Join(o.assets, file)
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			return path, nil
		}
	}
	return filepath.Join(o.bin, "testcluster"), []string{subcommand}
}

// define describes every part; what is started, and when, is decided elsewhere.
func (c *cluster) define() error {
	plain := &http.Client{Timeout: 2 * time.Second}
	admin, err := c.pki.client(5 * time.Second)
	if err != nil {
		return err
	}
	registry := fmt.Sprintf("http://127.0.0.1:%d", c.registryPort.number)
	component := func(name string) []string {
		kubeconfig := c.pki.path(name + ".kubeconfig")
		return []string{"--kubeconfig=" + kubeconfig, "--authentication-kubeconfig=" + kubeconfig,
			"--authorization-kubeconfig=" + kubeconfig, "--secure-port=0", "--leader-elect=false"}
	}
	c.parts = map[string]*part{}
	control := func(name, file string, flags []string, ready func() bool) {
		program, first := c.program(file, name)
		c.parts[name] = &part{program: program, flags: slices.Concat(first, flags, c.extra[name]), ready: ready}
	}
	control("etcd", "etcd", c.etcdFlags(), func() bool { return ok(plain, c.etcd+"/health") })
	control("apiserver", "kube-apiserver", c.apiserverFlags(), func() bool { return ok(admin, c.server+"/readyz") })
	// Pods are refused until the controller manager has made the ServiceAccount they run as.
	control("controller-manager", "kube-controller-manager", append(component("controller-manager"), c.controllerFlags()...),
		func() bool {
			return ok(admin, c.server+"/api/v1/namespaces/default/serviceaccounts/default") &&
				ok(admin, c.server+"/api/v1/namespaces/default/configmaps/kube-root-ca.crt")
		})
	control("scheduler", "kube-scheduler", component("scheduler"), func() bool { return true })
	c.parts["registry"] = &part{program: filepath.Join(c.bin, "registry"), leash: true,
		flags: append([]string{fmt.Sprintf("-port=%d", c.registryPort.number)}, c.extra["registry"]...),
		ready: func() bool { return ok(plain, registry+"/v2/") }}
	for _, n := range c.realNodes {
		c.parts[n.name] = &part{program: filepath.Join(c.bin, "node"), leash: true,
			flags: append([]string{"--bin=" + c.bin, "--dir=" + n.folder, "--pki=" + c.pki.path(n.name), "--name=" + n.name,
				"--subnet=" + n.subnet}, c.extra[n.name]...),
			ready: func() bool { return nodeReady(admin, c.server, n) }}
	}
	return nil
}

func (c *cluster) etcdFlags() []string {
	return []string{"--data-dir=" + filepath.Join(c.dir, "etcd"), "--listen-client-urls=" + c.etcd, "--advertise-client-urls=" + c.etcd,
		"--listen-peer-urls=http://127.0.0.1:0", "--unsafe-no-fsync", "--log-level=warn", "--socket-reuse-port"}
}

func (c *cluster) apiserverFlags() []string {
	p := c.pki.path
	flags := []string{
		"--etcd-servers=" + c.etcd, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.apiPort.number),
		"--permit-port-sharing", "--tls-cert-file=" + p("apiserver.crt"), "--tls-private-key-file=" + p("apiserver.key"),
		"--client-ca-file=" + p("ca.crt"), "--authorization-mode=Node,RBAC", "--enable-admission-plugins=NodeRestriction",
		"--allow-privileged=true", "--service-cluster-ip-range=" + serviceRange,
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + p("sa.pub"), "--service-account-signing-key-file=" + p("sa.key"),
		"--requestheader-client-ca-file=" + p("front-proxy-ca.crt"), "--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + p("front-proxy-client.crt"), "--proxy-client-key-file=" + p("front-proxy-client.key"),
	}
	if c.nodes == 0 { // a loopback address is refused in Endpoints, so the Service default/kubernetes gets none
		return append(flags, "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none")
	}
	return append(flags, "--advertise-address="+c.realNodes[0].ip(), "--endpoint-reconciler-type=lease", // the node forwards that port to here
		"--kubelet-preferred-address-types=InternalIP", "--kubelet-certificate-authority="+p("ca.crt"),
		"--kubelet-client-certificate="+p("admin.crt"), "--kubelet-client-key="+p("admin.key"))
}

func (c *cluster) controllerFlags() []string {
	controllers := "--controllers=*"
	if c.nodes == 0 {
		controllers += ",-node-lifecycle-controller" // nobody renews the heartbeat of a Node that a test makes up
	}
	p := c.pki.path
	return []string{"--use-service-account-credentials=true", "--root-ca-file=" + p("ca.crt"),
		"--service-account-private-key-file=" + p("sa.key"), "--cluster-signing-cert-file=" + p("ca.crt"),
		"--cluster-signing-key-file=" + p("ca.key"), "--kube-api-qps=500", "--kube-api-burst=1000", controllers,
		// A node that this round meets while it starts is tainted, and the taint is only taken away by the next one.
		"--node-monitor-period=500ms"}
}

// ok tells whether a GET is answered by 200.
func ok(client *http.Client, url string) bool {
	r, err := client.Get(url)
	if err != nil {
		return false
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return err == nil && r.StatusCode == http.StatusOK
}
