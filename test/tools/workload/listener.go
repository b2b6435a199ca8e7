package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
)

type listener struct {
	kind  string
	close func()
}

func (w *workload) listen(kind, port string) error {
	if kind != "tcp" && kind != "http" && kind != "h2c" {
		return fmt.Errorf("%q is none of tcp, http, h2c", kind)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, taken := w.listeners[port]; taken {
		return fmt.Errorf("port %s is in use", port)
	}
	l, err := net.Listen("tcp", ":"+port)
	if err != nil {
		return err
	}
	if kind == "tcp" {
		w.listeners[port] = listener{kind, w.echo(l)}
		return nil
	}
	server := &http.Server{Handler: w, Protocols: new(http.Protocols)}
	server.Protocols.SetHTTP1(kind == "http")
	server.Protocols.SetUnencryptedHTTP2(true)
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			w.accepted.Add(1)
		}
	}
	w.listeners[port] = listener{kind, func() { _ = server.Close() }}
	go func() { _ = server.Serve(l) }()
	return nil
}

// echo sends back what arrives; the function it returns closes the listener and its connections.
func (w *workload) echo(l net.Listener) func() {
	var open sync.Map
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.accepted.Add(1)
			open.Store(c, nil)
			go func() {
				defer open.Delete(c)
				defer c.Close()
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	return func() {
		l.Close()
		open.Range(func(c, _ any) bool {
			c.(net.Conn).Close()
			return true
		})
	}
}

func (w *workload) unlisten(port string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	l, open := w.listeners[port]
	if !open {
		return fmt.Errorf("port %s is not open", port)
	}
	l.close()
	delete(w.listeners, port)
	return nil
}
