package main

import (
	"fmt"
	"io"
	"net"
)

// conversations are what a port that is no HTTP does with a connection, which is closed afterwards.
var conversations = map[string]func(net.Conn){
	"tcp": echo,
	"tls": echo,
	"banner": func(c net.Conn) {
		fmt.Fprint(c, "220 workload ESMTP ready\r\n")
		_, _ = io.Copy(io.Discard, c)
	},
	"garbage": func(c net.Conn) {
		if n, _ := c.Read(make([]byte, 4096)); n > 0 {
			_, _ = c.Write([]byte{0, 255, 19, 55, 200, 10, 10, 0})
		}
	},
	"silent": func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
	"reset": func(c net.Conn) {
		_ = c.(*net.TCPConn).SetLinger(0) // closing drops the connection at once, by a reset
	},
}

func echo(c net.Conn) { _, _ = io.Copy(c, c) }
