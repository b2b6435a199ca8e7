//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// neighbour is another node of the same cluster.
type neighbour struct {
	pid    int // its first process, as the machine counts
	subnet string
}

func (s *settings) addNeighbour(text string) error {
	number, subnet, _ := strings.Cut(text, ",")
	pid, err := strconv.Atoi(number)
	if err != nil || subnet == "" {
		return fmt.Errorf("want PID,SUBNET, got %q", text)
	}
	s.neighbours = append(s.neighbours, neighbour{pid, subnet})
	return nil
}

// layCable connects the network namespaces of two nodes by a veth pair, and gives each a route to the other's pods. The
// machine forwards nothing for them. The kernel removes pair and routes with either namespace.
func (s settings) layCable(pid int, other neighbour) error {
	here, err := openEnd(pid, s.Subnet)
	if err != nil {
		return err
	}
	defer here.Close()
	there, err := openEnd(other.pid, other.subnet)
	if err != nil {
		return err
	}
	defer there.Close()
	attributes := netlink.NewLinkAttrs()
	attributes.Name = there.link()
	pair := &netlink.Veth{LinkAttrs: attributes, PeerName: here.link(), PeerNamespace: netlink.NsPid(other.pid)}
	if err := here.LinkAdd(pair); err != nil {
		return fmt.Errorf("cable to %s: %w", there.subnet, err)
	}
	return errors.Join(here.route(there), there.route(here))
}

// cableEnd is one of the two ends of a cable: netlink in the network namespace of a node.
type cableEnd struct {
	*netlink.Handle
	subnet string
}

// link is what the other node calls its end of the cable to this one.
func (e cableEnd) link() string { return "to" + e.subnet }

func openEnd(pid int, subnet string) (cableEnd, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return cableEnd{}, fmt.Errorf("the node at %s is gone: %w", subnet, err)
	}
	defer file.Close()
	handle, err := netlink.NewHandleAt(netns.NsHandle(file.Fd()), unix.NETLINK_ROUTE)
	return cableEnd{handle, subnet}, err
}

// route brings this end up and sends what is meant for the pods of the other through it.
func (e cableEnd) route(other cableEnd) error {
	link, err := e.LinkByName(other.link())
	if err != nil {
		return fmt.Errorf("cable to %s: %w", other.subnet, err)
	}
	if err := e.LinkSetUp(link); err != nil {
		return err
	}
	_, network, err := net.ParseCIDR(other.subnet + ".0/24")
	if err != nil {
		return err
	}
	peer := &netlink.Addr{IPNet: alone(e.subnet), Peer: alone(other.subnet)}
	if err := e.AddrAdd(link, peer); err != nil {
		return fmt.Errorf("address of the cable to %s: %w", other.subnet, err)
	}
	route := &netlink.Route{LinkIndex: link.Attrs().Index, Dst: network, Gw: peer.Peer.IP}
	if err := e.RouteAdd(route); err != nil {
		return fmt.Errorf("route to %s: %w", other.subnet, err)
	}
	return nil
}

// alone is the address of a node without a network around it: the other end of a cable is no further away.
func alone(subnet string) *net.IPNet {
	return &net.IPNet{IP: net.ParseIP(subnet + ".1").To4(), Mask: net.CIDRMask(32, 32)}
}
