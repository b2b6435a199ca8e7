//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// connect lays a veth pair: one end stays on the machine, the other becomes a port of the node's bridge. So the machine is
// a neighbour of the pods, and needs no route, no forwarding and no address translation.
func (s settings) connect(pid int) error {
	attributes := netlink.NewLinkAttrs()
	attributes.Name = s.link()
	if err := netlink.LinkAdd(&netlink.Veth{LinkAttrs: attributes, PeerName: innerLink, PeerNamespace: netlink.NsPid(pid)}); err != nil {
		return fmt.Errorf("veth %s: %w", attributes.Name, err)
	}
	link, err := netlink.LinkByName(attributes.Name)
	if err != nil {
		return err
	}
	address, err := netlink.ParseAddr(s.hostIP() + "/24")
	if err != nil {
		return err
	}
	return errors.Join(netlink.AddrAdd(link, address), netlink.LinkSetUp(link))
}

// forward listens inside the node's network namespace and connects to the machine's loopback.
func forward(pid int, port string) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread, which is in the other namespace then, ends with this function
		l, err := listenInside(pid, port)
		result <- err
		if err == nil {
			go serve(l, "127.0.0.1:"+port)
		}
	}()
	return <-result
}

func listenInside(pid int, port string) (net.Listener, error) {
	namespace, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return nil, err
	}
	defer namespace.Close()
	if err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, err
	}
	return net.Listen("tcp4", "0.0.0.0:"+port)
}

func serve(l net.Listener, to string) {
	for {
		inner, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer inner.Close()
			outer, err := net.Dial("tcp4", to)
			if err != nil {
				return
			}
			defer outer.Close()
			go func() {
				_, _ = io.Copy(outer, inner)
				_ = outer.(*net.TCPConn).CloseWrite()
			}()
			_, _ = io.Copy(inner, outer)
		}()
	}
}
