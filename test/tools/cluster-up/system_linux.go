package main

import (
	"fmt"
	"net"
	"syscall"
)

// dieWithParent makes the kernel kill the child when this program dies, in whatever way.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// claimName holds a name that the kernel frees when this program ends, in whatever way.
func claimName(name string) (net.Listener, error) { return net.Listen("unix", "@pacto-gate-"+name) }

const reusePort = 15 // SO_REUSEPORT, which package syscall lacks on amd64

// reservation is a port of 127.0.0.1 that nobody else can get while this program lives. It is bound but does not listen,
// so connections are refused until a part, told to share the port, listens on it; also while that part is stopped.
type reservation struct{ number int }

func reservePort() (reservation, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return reservation{}, fmt.Errorf("cannot reserve a port: %w", err)
	}
	if err := syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, reusePort, 1); err != nil {
		return reservation{}, fmt.Errorf("cannot share a port: %w", err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return reservation{}, fmt.Errorf("cannot reserve a port: %w", err)
	}
	address, err := syscall.Getsockname(fd) // the socket stays open for as long as this program runs
	if err != nil {
		return reservation{}, fmt.Errorf("cannot reserve a port: %w", err)
	}
	return reservation{address.(*syscall.SockaddrInet4).Port}, nil
}
