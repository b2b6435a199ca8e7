package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

const exchangeLimit = 2 * time.Second

// peer is somebody to connect to, again and again, each time by a new connection.
type peer struct {
	ok, failed atomic.Int64
	last       atomic.Value // text of the last error
	stop       context.CancelFunc
}

// connect starts to connect to [KIND,]HOST:PORT; naming it again starts its counts anew.
func (w *workload) connect(target string) {
	kind, to, found := strings.Cut(target, ",")
	if !found {
		kind, to = "tcp", target
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &peer{stop: cancel}
	w.mu.Lock()
	defer w.mu.Unlock()
	if old := w.peers[target]; old != nil {
		old.stop()
	}
	w.peers[target] = p
	go func() {
		for ctx.Err() == nil {
			if err := w.exchange(kind, to); err != nil {
				p.failed.Add(1)
				p.last.Store(err.Error())
			} else {
				p.ok.Add(1)
			}
			select {
			case <-ctx.Done():
			case <-time.After(w.every):
			}
		}
	}()
}

func (w *workload) disconnect(target string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p := w.peers[target]; p != nil {
		p.stop()
		delete(w.peers, target)
	}
}

// exchange makes one new connection and sends something there and back.
func (w *workload) exchange(kind, to string) error {
	// Whom it talks to is the matter of tests, not whether that one can be trusted.
	anybody := &tls.Config{InsecureSkipVerify: true}
	if kind == "tcp" || kind == "tls" {
		c, err := net.DialTimeout("tcp", to, exchangeLimit)
		if err != nil {
			return err
		}
		defer c.Close()
		if kind == "tls" {
			c = tls.Client(c, anybody)
		}
		if err := c.SetDeadline(time.Now().Add(exchangeLimit)); err != nil {
			return err
		}
		fmt.Fprintln(c, "hello from", w.name)
		_, err = bufio.NewReader(c).ReadString('\n')
		return err
	}
	transport := &http.Transport{Protocols: new(http.Protocols), TLSClientConfig: anybody}
	defer transport.CloseIdleConnections()
	transport.Protocols.SetHTTP1(kind != "h2c")
	transport.Protocols.SetUnencryptedHTTP2(kind == "h2c")
	transport.Protocols.SetHTTP2(kind == "https")
	scheme := "http"
	if kind == "https" {
		scheme = "https"
	}
	r, err := (&http.Client{Transport: transport, Timeout: exchangeLimit}).Get(scheme + "://" + to + "/")
	if err != nil {
		return err
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return err
}
