//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

type object = map[string]any

// configure writes the configuration of every program of the node into etc.
func (s settings) configure() {
	s.write("net.d/10-pods.conflist", object{"cniVersion": "1.0.0", "name": "pods", "plugins": []any{object{
		"type": "bridge", "bridge": bridgeName, "isGateway": true, "ipMasq": false, "hairpinMode": true,
		"ipam": object{"type": "host-local", "dataDir": "/run/cni", "routes": []any{object{"dst": "0.0.0.0/0"}},
			"ranges": []any{[]any{object{"subnet": s.Subnet + ".0/24", "rangeStart": s.Subnet + ".10", "rangeEnd": s.Subnet + ".250",
				"gateway": s.nodeIP()}}}}}}})
	pki := func(name string) string { return filepath.Join(s.Pki, name) }
	s.write("kubelet.json", object{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
		"failCgroupV1": false, "cgroupDriver": "cgroupfs", "enforceNodeAllocatable": []string{}, "failSwapOn": false,
		"featureGates":             object{"KubeletInUserNamespace": true}, // rights that are missing only warn
		"containerRuntimeEndpoint": "unix://" + containerdSocket,
		"address":                  s.nodeIP(), "readOnlyPort": 0, "tlsCertFile": pki("kubelet.crt"), "tlsPrivateKeyFile": pki("kubelet.key"),
		"authentication": object{"anonymous": object{"enabled": false}, "webhook": object{"enabled": true},
			"x509": object{"clientCAFile": pki("ca.crt")}},
		"authorization": object{"mode": "Webhook"},
		"clusterDomain": clusterDomain, "clusterDNS": []string{s.nodeIP()}, "resolvConf": "",
		"volumePluginDir": "/var/lib/kubelet/volume-plugins", "makeIPTablesUtilChains": false,
		"evictionHard": object{"memory.available": "50Mi", "nodefs.available": "1%", "imagefs.available": "1%",
			"nodefs.inodesFree": "1%"},
		"imageGCHighThresholdPercent": 100, "serializeImagePulls": false, "kubeAPIQPS": 100, "kubeAPIBurst": 200, "registryPullQPS": 0})
	s.write("proxy.json", object{"apiVersion": "kubeproxy.config.k8s.io/v1alpha1", "kind": "KubeProxyConfiguration", "mode": s.Proxy,
		"clientConnection": object{"kubeconfig": pki("proxy.kubeconfig")}, "clusterCIDR": s.Subnet + ".0/24",
		"bindAddress": s.nodeIP(), "healthzBindAddress": "127.0.0.1:10256", "metricsBindAddress": "127.0.0.1:10249",
		"conntrack": object{"maxPerCore": 0, "min": 0, "tcpEstablishedTimeout": "0s", "tcpCloseWaitTimeout": "0s"}})
	// For commands that enter; they belong to no namespace, and write it into the names.
	s.writeText("resolv.conf", "nameserver "+s.nodeIP()+"\nsearch "+clusterDomain+"\noptions ndots:5\n")
	s.writeText("nsswitch.conf", "hosts: files dns\n")
	// The plugins that are switched off would write to /opt, or look for services that are not there.
	text := fmt.Sprintf(`version = 3
disabled_plugins = ['io.containerd.internal.v1.opt', 'io.containerd.nri.v1.nri', 'io.containerd.tracing.processor.v1.otlp']
[plugins.'io.containerd.cri.v1.images']
  snapshotter = 'overlayfs'
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = 'registry.test/pause:1'
  [plugins.'io.containerd.cri.v1.images'.registry]
    config_path = '%s'
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
    runtime_type = 'io.containerd.runc.v2'
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
      BinaryName = '%s'
      SystemdCgroup = false
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    conf_dir = '%s'
    bin_dirs = ['%s']
`, s.path("certs.d"), s.runtime(), s.path("etc", "net.d"), s.Bin)
	s.writeText("containerd.toml", text)
}

func (s settings) write(name string, v any) {
	text, err := json.MarshalIndent(v, "", " ")
	check(err)
	s.writeText(name, string(text))
}

func (s settings) writeText(name, text string) {
	check(os.MkdirAll(filepath.Dir(s.path("etc", name)), 0o755))
	check(os.WriteFile(s.path("etc", name), []byte(text), 0o644))
}

// runtime returns the runc to use: the real one, or this program in its place where cgroup v2 has no controllers since v1
// holds them, because the real one fails on the first limit it cannot set.
func (s settings) runtime() string {
	all, err := os.ReadFile("/sys/fs/cgroup/cgroup.controllers")
	if err != nil || strings.Contains(string(all), "cpu ") {
		return s.program("runc")
	}
	self, err := os.Executable()
	check(err)
	for link, target := range map[string]string{"runc": self, realRunc: s.program("runc")} {
		os.Remove(s.path("etc", link))
		check(os.Symlink(target, s.path("etc", link)))
	}
	return s.path("etc", "runc")
}
