//go:build !linux

package main

import (
	"errors"
	"net"
	"syscall"
)

// dieWithParent: no other system kills children with their parent, so only an orderly end takes them along.
func dieWithParent() *syscall.SysProcAttr { return nil }

func ownGroup() *syscall.SysProcAttr { return nil }

// claimName: there are no real nodes here, which are all that needs one.
func claimName(string) (net.Listener, error) {
	return nil, errors.New("a real node needs Linux; without --nodes the control plane runs here as well")
}

// reservation is a port of 127.0.0.1 that was free a moment ago.
type reservation struct{ number int }

func reservePort() (reservation, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return reservation{}, err
	}
	defer l.Close()
	return reservation{l.Addr().(*net.TCPAddr).Port}, nil
}
