package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// kinds of ports, explained where the program is.
var kinds = []string{"tcp", "http", "http1", "h2c", "tls", "https", "banner", "garbage", "silent", "reset"}

type listener struct {
	kind  string
	close func()
}

// listen opens a port and returns its number, which the system chooses for 0.
func (w *workload) listen(kind, port string) (opened string, err error) {
	if !slices.Contains(kinds, kind) {
		return "", fmt.Errorf("%q is none of %s", kind, strings.Join(kinds, ", "))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, taken := w.listeners[port]; taken {
		return "", fmt.Errorf("port %s is in use", port)
	}
	var secrets *tls.Config
	if kind == "tls" || kind == "https" {
		if secrets, err = w.secrets(); err != nil {
			return "", err
		}
	}
	l, err := net.Listen("tcp", ":"+port)
	if err != nil {
		return "", err
	}
	opened = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	if kind == "http" || kind == "http1" || kind == "h2c" || kind == "https" {
		w.listeners[opened] = listener{kind, w.serveHTTP(l, kind, secrets)}
		return opened, nil
	}
	if secrets != nil {
		l = tls.NewListener(l, secrets)
	}
	w.listeners[opened] = listener{kind, w.serve(l, conversations[kind])}
	return opened, nil
}

// serveHTTP returns a function that closes the listener and its connections.
func (w *workload) serveHTTP(l net.Listener, kind string, secrets *tls.Config) (close func()) {
	server := &http.Server{Handler: w, Protocols: new(http.Protocols), TLSConfig: secrets}
	server.Protocols.SetHTTP1(kind != "h2c")
	server.Protocols.SetUnencryptedHTTP2(kind == "http" || kind == "h2c")
	server.Protocols.SetHTTP2(kind == "https")
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			w.accepted.Add(1)
		}
	}
	go func() {
		if kind == "https" {
			_ = server.ServeTLS(l, "", "")
		} else {
			_ = server.Serve(l)
		}
	}()
	return func() { _ = server.Close() }
}

// serve holds a conversation on each connection; the function it returns closes the listener and its connections.
func (w *workload) serve(l net.Listener, talk func(net.Conn)) (close func()) {
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
				talk(c)
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
