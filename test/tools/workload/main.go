// Program workload is something to observe: it listens, connects and answers health checks as it is told.
//
//	workload [-KIND PORT]… [-peer [KIND,]HOST:PORT]… [-every MS] [-control PORT] [-unready] [-tls-cert FILE -tls-key FILE]
//	workload pause      does nothing but reap zombies: the container that holds the namespaces of a pod
//
// Kinds of ports, also of peers up to https:
//
//	tcp      sends back what arrives; the default of a peer
//	http     HTTP/1.1, and HTTP/2 without TLS for who begins with it
//	http1    HTTP/1.1 alone
//	h2c      HTTP/2 without TLS alone, which answers gRPC as well
//	tls      as tcp, in TLS
//	https    HTTP/1.1 and HTTP/2 in TLS
//	banner   greets as a mail server does, whatever the client says
//	garbage  answers the first bytes with some that belong to no protocol
//	silent   takes connections and says nothing
//	reset    takes connections and resets them
//
// Without files for TLS there is a certificate of its own making. The control port answers
//
//	GET /                                        state as JSON
//	GET /healthz, PUT /healthz?ready=true|false  readiness, which the HTTP ports tell as well
//	GET /metrics                                 counts in the text format of Prometheus, also on the HTTP ports
//	GET /certificate                             the certificate of the TLS ports, as PEM
//	PUT /listen?kind=tcp&port=N                  answers the port, of the system's choice for 0; DELETE /listen?port=N
//	PUT /peer?to=http,HOST:PORT                  DELETE /peer?to=…
//	PUT /answer?path=/x[&status=503][&type=text/html][&delay=MS][&times=N]   with the body to answer; DELETE /answer?path=/x
//
// An answer counts on every HTTP port and for every method, so many times or until it is deleted.
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
	var ports [][2]string // opened when all flags are known, for the certificate may be among them
	for _, kind := range kinds {
		flag.Func(kind, "port to listen on (repeatable)", func(port string) error {
			ports = append(ports, [2]string{kind, port})
			return nil
		})
	}
	flag.StringVar(&w.certFile, "tls-cert", "", "certificate of the TLS ports, as PEM (default: one of its own making)")
	flag.StringVar(&w.keyFile, "tls-key", "", "its key")
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
	for _, each := range ports {
		if _, err := w.listen(each[0], each[1]); err != nil {
			return err
		}
	}
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
