package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const maxNodes = 2

// realNode is one node with a kubelet of its own.
type realNode struct {
	name, folder string
	subnet       string // first three numbers of the /24 of its pods
	started      time.Time
}

func (n *realNode) ip() string { return n.subnet + ".1" }

// reserveNodes chooses a network for each node. Their certificates name its address, so it is chosen before anything starts.
func (c *cluster) reserveNodes() error {
	for i := range c.nodes {
		subnet, err := reserveSubnet()
		if err != nil {
			return err
		}
		name := fmt.Sprintf("node-%d", i+1)
		c.realNodes = append(c.realNodes, &realNode{name: name, folder: filepath.Join(c.dir, name), subnet: subnet})
	}
	return nil
}

// reserveSubnet finds a 10.244.N that no interface has and no other cluster of this machine will use. The claim lasts as
// long as this program.
func reserveSubnet() (string, error) {
	used, err := net.InterfaceAddrs()
	if err != nil {
		return "", fmt.Errorf("cannot tell which networks are in use: %w", err)
	}
	var refused error
	for i := range 250 {
		// Another order in each process, so that a network is not used again while its last user is tidying up.
		subnet := fmt.Sprintf("10.244.%d", (os.Getpid()+i)%250+1)
		if slices.ContainsFunc(used, func(a net.Addr) bool { return strings.HasPrefix(a.String(), subnet+".") }) {
			continue
		}
		if _, refused = claimName("subnet-" + subnet); refused == nil {
			return subnet, nil
		}
	}
	return "", fmt.Errorf("no network 10.244.N is free for a node: %w", refused)
}

func (c *cluster) realNode(part string) *realNode {
	for _, n := range c.realNodes {
		if n.name == part {
			return n
		}
	}
	return nil
}

// beforeNode tells containerd that images called registry.test/… come from the registry of this cluster.
func (c *cluster) beforeNode(n *realNode) error {
	n.started = time.Now()
	hosts := filepath.Join(n.folder, "certs.d", "registry.test")
	if err := os.MkdirAll(hosts, 0o755); err != nil {
		return err
	}
	text := fmt.Appendf(nil, "server = \"http://127.0.0.1:%d\"\n", c.registryPort.number)
	return os.WriteFile(filepath.Join(hosts, "hosts.toml"), text, 0o644)
}

// neighbours are the flags that lay a cable from a node that starts to each that runs, so that their pods reach each other.
func (c *cluster) neighbours(n *realNode) (flags []string) {
	for _, other := range c.realNodes {
		var info struct{ Pid int }
		if text := c.nodeInfo(other); other != n && text != nil && json.Unmarshal(text, &info) == nil {
			flags = append(flags, fmt.Sprintf("--neighbour=%d,%s", info.Pid, other.subnet))
		}
	}
	return flags
}

// forward makes a port of the machine's loopback reachable inside every node that runs.
func (c *cluster) forward(port string) error {
	none := true
	for _, n := range c.realNodes {
		if ch := c.children[n.name]; ch != nil {
			if _, err := fmt.Fprintln(ch.input, port); err != nil {
				return err
			}
			none = false
		}
	}
	if none {
		return errors.New("there is no node running to forward to")
	}
	return nil
}

// nodeInfos is what each running node tells about itself, by its name.
func (c *cluster) nodeInfos() map[string]json.RawMessage {
	infos := map[string]json.RawMessage{}
	for _, n := range c.realNodes {
		if info := c.nodeInfo(n); info != nil {
			infos[n.name] = info
		}
	}
	return infos
}

func (c *cluster) nodeInfo(n *realNode) json.RawMessage {
	if c.children[n.name] == nil {
		return nil
	}
	info, err := os.ReadFile(filepath.Join(n.folder, "info.json"))
	if err != nil {
		return nil
	}
	return info
}

// nodeReady tells whether the kubelet of the node's present life has come up and made the Node Ready, free of taints. The
// heartbeat in the Node has whole seconds, so an earlier life may have written it; that kubelet answers, it cannot have done.
func nodeReady(client *http.Client, server string, n *realNode) bool {
	if !ok(client, "https://"+n.ip()+":10250/healthz") {
		return false
	}
	var node struct {
		Spec   struct{ Taints []any }
		Status struct {
			Conditions []struct {
				Type, Status      string
				LastHeartbeatTime time.Time
			}
		}
	}
	if !get(client, server+"/api/v1/nodes/"+n.name, &node) || len(node.Spec.Taints) > 0 {
		return false
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == "Ready" {
			return condition.Status == "True" && !condition.LastHeartbeatTime.Before(n.started.Truncate(time.Second))
		}
	}
	return false
}

// get reads a JSON answer; false when there is none yet.
func get(client *http.Client, url string, into any) bool {
	r, err := client.Get(url)
	if err != nil {
		return false
	}
	defer r.Body.Close()
	return r.StatusCode == http.StatusOK && json.NewDecoder(r.Body).Decode(into) == nil
}
