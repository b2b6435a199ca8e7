// Program registry is the CNCF Distribution registry with its storage in memory, and with faults on demand.
//
//	registry [-port N] [-user NAME -password WORD] [-cert FILE -key FILE]
//
// It prints its URL and ends when standard input closes. PUT /_faults with a list like
//
//	[{"method":"GET","path":"^/v2/.*/blobs/","times":1,"status":503,"delayMs":0,"cut":0,"body":"","header":{}}]
//
// replaces the faults; GET /_faults returns those left and the log of requests; DELETE /_faults empties both.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/distribution/distribution/v3/configuration"
	_ "github.com/distribution/distribution/v3/registry/auth/htpasswd"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory"
	"github.com/sirupsen/logrus"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/sys/unix"
)

type options struct {
	port                      int
	user, password, cert, key string
}

func main() {
	var o options
	flag.IntVar(&o.port, "port", 0, "port on 127.0.0.1; 0: a free one")
	flag.StringVar(&o.user, "user", "", "user name; empty: no authentication")
	flag.StringVar(&o.password, "password", "", "password")
	flag.StringVar(&o.cert, "cert", "", "certificate file; empty: plain HTTP")
	flag.StringVar(&o.key, "key", "", "key file")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "registry:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	logrus.SetOutput(io.Discard)
	config := &configuration.Configuration{Storage: configuration.Storage{"inmemory": {}, "delete": {"enabled": true},
		"maintenance": {"uploadpurging": map[any]any{"enabled": false}}}}
	config.Catalog.MaxEntries, config.Tags.MaxTags = 1000, 1000
	config.HTTP.Secret = "test" // signs the state of uploads, which lives no longer than this process
	config.Log.AccessLog.Disabled = true
	if o.user != "" {
		file, err := passwordFile(o.user, o.password)
		if err != nil {
			return err
		}
		defer os.Remove(file)
		config.Auth = configuration.Auth{"htpasswd": {"realm": "test", "path": file}}
	}
	server := &http.Server{Handler: &faulty{next: handlers.NewApp(context.Background(), config)}}
	// The program that started this one may hold the port in reserve, which needs both to say that they share it.
	shared := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1)
		})
		return errors.Join(err, failed)
	}}
	l, err := shared.Listen(context.Background(), "tcp", fmt.Sprintf("127.0.0.1:%d", o.port))
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	scheme := "http"
	if o.cert == "" {
		go func() { served <- server.Serve(l) }()
	} else {
		scheme = "https"
		go func() { served <- server.ServeTLS(l, o.cert, o.key) }()
	}
	fmt.Printf("%s://%s\n", scheme, l.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}

func passwordFile(user, password string) (string, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "htpasswd")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "%s:%s\n", user, hash)
	return f.Name(), errors.Join(err, f.Close())
}
