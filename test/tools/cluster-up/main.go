// Program cluster-up runs a Kubernetes control plane on the loopback interface for tests, and keeps it no longer than its
// own life.
//
//	cluster-up --dir D --bin B [--assets A] [--parts etcd,apiserver,…] [--nodes N] [--arg PART=FLAG]…
//
// It starts the parts in the order given, waits until each is ready, writes one line of JSON to standard output, and then
// obeys commands on standard input, one a line, each answered by one line of JSON:
//
//	start PART    stop PART    kill PART    pause PART    resume PART    forward PORT
//
// Everything it started has ended when it ends: on end of input, on SIGTERM, SIGINT or SIGHUP, and, because the kernel
// kills children with their parent, on SIGKILL too. It uses the standard library alone, so that it builds in seconds.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// The kernel ties the death signal of a child to the thread that forked it, so every child is forked by the first thread.
func init() { runtime.LockOSThread() }

type options struct {
	dir, bin, assets string
	parts            []string
	extra            map[string][]string // further flags, by part
	nodes            int
	ephemeral        bool
}

func parse(argv []string) (options, error) {
	o := options{extra: map[string][]string{}}
	fs := flag.NewFlagSet("cluster-up", flag.ContinueOnError)
	fs.StringVar(&o.dir, "dir", "", "folder for keys, data and logs (required)")
	fs.StringVar(&o.bin, "bin", "", "folder with the built programs (testcluster, registry, node)")
	fs.StringVar(&o.assets, "assets", "", "folder with etcd, kube-apiserver, …: what it holds is preferred to the built program")
	list := fs.String("parts", "", "what to start, in order (default etcd,apiserver,controller-manager; with --nodes everything)")
	fs.IntVar(&o.nodes, "nodes", 0, "prepare for so many real nodes, at most 2, called node-1 and node-2 (root on Linux)")
	fs.BoolVar(&o.ephemeral, "ephemeral", false, "remove --dir at the end, and such folders beside it that killed runs left")
	fs.Func("arg", "further flag of a part, as PART=FLAG (repeatable)", func(s string) error {
		part, f, ok := strings.Cut(s, "=")
		if !ok || !slices.Contains(allParts, part) {
			return fmt.Errorf("want PART=FLAG with PART one of %s", strings.Join(allParts, ", "))
		}
		o.extra[part] = append(o.extra[part], f)
		return nil
	})
	if err := fs.Parse(argv); err != nil {
		return o, err
	}
	if o.dir == "" {
		return o, fmt.Errorf("--dir is required: the folder for keys, data and logs")
	}
	var err error
	if o.dir, err = filepath.Abs(o.dir); err != nil {
		return o, err
	}
	switch {
	case *list != "":
		o.parts = strings.Split(*list, ",")
	case o.nodes > 0:
		o.parts = allParts[:len(allParts)-maxNodes+o.nodes]
	default:
		o.parts = []string{"etcd", "apiserver", "controller-manager"}
	}
	for _, name := range o.parts {
		if !slices.Contains(allParts, name) {
			return o, fmt.Errorf("--parts: %q is none of %s", name, strings.Join(allParts, ", "))
		}
	}
	if o.nodes < 0 || o.nodes > maxNodes {
		return o, fmt.Errorf("--nodes: %d is not between 0 and %d", o.nodes, maxNodes)
	}
	return o, nil
}

func main() {
	o, err := parse(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster-up:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, o); err != nil {
		say(message{"event": "failed", "message": err.Error()})
		os.Exit(1)
	}
}

// run returns when input ends or ctx is done, with all children gone; an error means that the start failed.
func run(ctx context.Context, o options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if o.ephemeral {
		release, err := claimFolder(o.dir)
		if err != nil {
			return err
		}
		defer release()
	}
	// Input is read from the start, so that a parent that dies during the start is noticed at once.
	commands := make(chan string)
	go func() {
		defer cancel()
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			select {
			case commands <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	c, err := newCluster(o)
	if err != nil {
		return err
	}
	defer c.stopAll()
	if err := c.startAll(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // told to end while starting: nobody wants to know
		}
		return err
	}
	say(c.ready())
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-c.exits:
			c.forget(e)
			say(message{"event": "exited", "part": e.part, "status": e.status, "pids": c.pids()})
		case line := <-commands:
			answer := message{"event": "done", "command": line}
			if err := c.obey(ctx, line); err != nil {
				answer = message{"event": "failed", "command": line, "message": err.Error()}
			}
			answer["pids"] = c.pids()
			answer["nodes"] = c.nodeInfos()
			say(answer)
		}
	}
}
