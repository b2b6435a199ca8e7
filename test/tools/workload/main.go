// Program workload is something to observe: it listens, connects and answers health checks as it is told.
//
//	workload [-http PORT]… [-h2c PORT]… [-tcp PORT]… [-peer [KIND,]HOST:PORT]… [-every MS] [-control PORT] [-unready]
//	workload pause      does nothing but reap zombies: the container that holds the namespaces of a pod
//
// Kinds are tcp (an echo, the default for a peer), http, and h2c (HTTP/2 without TLS, which answers gRPC as well). The
// control port answers GET / (state as JSON), GET /healthz, PUT /healthz?ready=true|false, PUT /listen?kind=tcp&port=N,
// DELETE /listen?port=N, PUT /peer?to=http,HOST:PORT and DELETE /peer?to=….
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "pause" {
		pause()
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "workload:", err)
		os.Exit(1)
	}
}

func run() error {
	w := newWorkload()
	for _, kind := range []string{"http", "h2c", "tcp"} {
		flag.Func(kind, "port to listen on (repeatable)", func(port string) error { return w.listen(kind, port) })
	}
	var peers []string // connected to when all flags are known
	flag.Func("peer", "whom to connect to, [KIND,]HOST:PORT (repeatable)", func(to string) error {
		peers = append(peers, to)
		return nil
	})
	every := flag.Int("every", 1000, "milliseconds between connections to a peer")
	port := flag.String("control", "8080", "control port")
	flag.BoolFunc("unready", "start unready", func(string) error {
		w.unready.Store(true)
		return nil
	})
	flag.Parse()
	w.every = time.Duration(*every) * time.Millisecond
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	l, err := net.Listen("tcp", ":"+*port)
	if err != nil {
		return err
	}
	for _, peer := range peers {
		w.connect(peer)
	}
	go func() { _ = http.Serve(l, http.HandlerFunc(w.control)) }()
	fmt.Println("workload", w.version, "started as", w.name, "with control at", l.Addr())
	fmt.Println("stopped by", <-stop)
	return nil
}

func pause() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGCHLD)
	for s := range signals {
		if s != syscall.SIGCHLD {
			return
		}
		for pid := 1; pid > 0; pid, _ = syscall.Wait4(-1, nil, syscall.WNOHANG, nil) {
		}
	}
}
