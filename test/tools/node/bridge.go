//go:build linux

package main

import (
	"net"
	"os"

	"github.com/vishvananda/netlink"
)

const (
	bridgeName = "cni0"
	innerLink  = "host0" // the node's end of the veth pair
)

// makeBridge makes the bridge to which the machine and, by CNI, every pod is connected.
func (s settings) makeBridge() {
	loopback, err := netlink.LinkByName("lo")
	check(err)
	check(netlink.LinkSetUp(loopback))
	attributes := netlink.NewLinkAttrs()
	attributes.Name = bridgeName
	// Without a fixed address it would change with the ports of the bridge, and neighbours would look for the old one.
	attributes.HardwareAddr = net.HardwareAddr{2, 0x74, 0x6e, 0, 0, 1}
	check(netlink.LinkAdd(&netlink.Bridge{LinkAttrs: attributes}))
	bridge, err := netlink.LinkByName(bridgeName)
	check(err)
	address, err := netlink.ParseAddr(s.nodeIP() + "/24")
	check(err)
	check(netlink.AddrAdd(bridge, address))
	cable, err := netlink.LinkByName(innerLink)
	check(err)
	check(netlink.LinkSetMaster(cable, bridge))
	check(netlink.LinkSetUp(cable))
	check(netlink.LinkSetUp(bridge))
	// A process in the node's own network needs some route to Services before kube-proxy can turn the packet elsewhere.
	_, services, err := net.ParseCIDR("10.96.0.0/16")
	check(err)
	check(netlink.RouteAdd(&netlink.Route{LinkIndex: bridge.Attrs().Index, Dst: services}))
	sysctl("ipv4/ip_forward", "1")
	sysctl("bridge/bridge-nf-call-iptables", "1") // kube-proxy must see what goes from pod to pod over the bridge
}

// sysctl sets what the kernel offers; without the bridge module, say, only kube-proxy is worse off.
func sysctl(name, value string) { _ = os.WriteFile("/proc/sys/net/"+name, []byte(value), 0) }
