package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type workload struct {
	name, version string
	every         time.Duration // between connections to a peer
	unready       atomic.Bool
	accepted      atomic.Int64 // connections taken by all listeners
	requests      atomic.Int64 // taken by the HTTP ports

	certFile, keyFile string

	mu        sync.Mutex
	listeners map[string]listener // by port
	peers     map[string]*peer    // by the text that named them
	answers   map[string]*answer  // by path

	certificate *tls.Certificate // of all TLS ports, made with the first
}

func newWorkload() *workload {
	name, _ := os.Hostname()
	return &workload{name: name, version: os.Getenv("VERSION"), every: time.Second,
		listeners: map[string]listener{}, peers: map[string]*peer{}, answers: map[string]*answer{}}
}

// ServeHTTP serves the HTTP ports. Every unary gRPC call gets the answer of a healthy health check.
func (w *workload) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.requests.Add(1)
	if a := w.told(r.URL.Path); a != nil {
		a.write(out, r)
		return
	}
	w.answer(out, r)
}

func (w *workload) answer(out http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/metrics":
		out.Header().Set("content-type", "text/plain; version=0.0.4; charset=utf-8")
		w.writeMetrics(out)
	case strings.HasPrefix(r.Header.Get("content-type"), "application/grpc"):
		_, _ = io.Copy(io.Discard, r.Body)
		out.Header().Set("content-type", "application/grpc")
		out.Header().Set("trailer", "grpc-status")
		_, _ = out.Write([]byte{0, 0, 0, 0, 2, 8, 1}) // not compressed, two bytes: field 1 (status) is 1 (SERVING)
		out.Header().Set("grpc-status", "0")
	case r.URL.Path == "/healthz":
		if w.unready.Load() {
			out.WriteHeader(http.StatusServiceUnavailable)
		}
		fmt.Fprintln(out, "ready:", !w.unready.Load())
	default:
		fmt.Fprintln(out, w.name, w.version, r.Proto, r.RemoteAddr)
	}
}

// control serves the control port.
func (w *workload) control(out http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	var err error
	switch r.Method + " " + r.URL.Path {
	case "PUT /healthz":
		w.unready.Store(query.Get("ready") == "false")
	case "PUT /listen":
		var port string
		if port, err = w.listen(query.Get("kind"), query.Get("port")); err == nil {
			_, _ = io.WriteString(out, port)
		}
	case "DELETE /listen":
		err = w.unlisten(query.Get("port"))
	case "PUT /peer":
		w.connect(query.Get("to"))
	case "DELETE /peer":
		w.disconnect(query.Get("to"))
	case "PUT /answer":
		err = w.setAnswer(r)
	case "DELETE /answer":
		w.unsetAnswer(query.Get("path"))
	case "GET /certificate":
		_, _ = out.Write(w.certificatePEM())
	case "GET /":
		_ = json.NewEncoder(out).Encode(w.state())
	default:
		w.answer(out, r)
	}
	if err != nil {
		http.Error(out, err.Error(), http.StatusConflict)
	}
}

func (w *workload) state() map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	listen := map[string]string{}
	for port, l := range w.listeners {
		listen[port] = l.kind
	}
	peers := map[string]any{}
	for to, p := range w.peers {
		peers[to] = map[string]any{"ok": p.ok.Load(), "failed": p.failed.Load(), "last": p.last.Load()}
	}
	return map[string]any{"name": w.name, "version": w.version, "ready": !w.unready.Load(), "listen": listen,
		"accepted": w.accepted.Load(), "peers": peers}
}
