package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	startLimit = 2 * time.Minute
	stopLimit  = 2 * time.Second  // from SIGTERM to SIGKILL: with watches open, the API server would take a minute
	cleanLimit = 15 * time.Second // for parts that clean up after themselves: a node gives its cgroups ten seconds to empty
	pollEvery  = 20 * time.Millisecond
)

// cluster is the state of one control plane. Only the first thread touches it.
type cluster struct {
	options
	pki                             pki
	etcd, server                    string // URLs
	etcdPort, apiPort, registryPort reservation
	parts                           map[string]*part
	children                        map[string]*child
	exits                           chan exit
	realNodes                       []*realNode
	begin                           time.Time
	millis                          map[string]int64 // from the start of this program until the part was ready
}

type child struct {
	*exec.Cmd
	input io.WriteCloser // of a part on a leash
}

type exit struct {
	part   string
	child  *child
	status string
}

func newCluster(o options) (*cluster, error) {
	c := &cluster{options: o, begin: time.Now(), children: map[string]*child{}, exits: make(chan exit, 16), millis: map[string]int64{}}
	c.pki = pki(filepath.Join(o.dir, "pki"))
	for _, r := range []*reservation{&c.etcdPort, &c.apiPort, &c.registryPort} {
		var err error
		if *r, err = reservePort(); err != nil {
			return nil, err
		}
	}
	c.etcd = fmt.Sprintf("http://127.0.0.1:%d", c.etcdPort.number)
	c.server = fmt.Sprintf("https://127.0.0.1:%d", c.apiPort.number)
	if err := c.reserveNodes(); err != nil {
		return nil, err
	}
	if err := c.pki.write(c.server, c.realNodes); err != nil {
		return nil, err
	}
	return c, c.define()
}

func (c *cluster) log(part string) string {
	return filepath.Join(c.dir, part+".log")
}

func (c *cluster) startAll(ctx context.Context) error {
	for _, name := range c.options.parts {
		if err := c.start(ctx, name); err != nil {
			return err
		}
		c.millis[name] = time.Since(c.begin).Milliseconds()
	}
	return nil
}

// start runs a part and waits until it is ready.
func (c *cluster) start(ctx context.Context, name string) error {
	if err := c.launch(name); err != nil {
		return err
	}
	return c.waitReady(ctx, name)
}

func (c *cluster) launch(name string) error {
	n := c.realNode(name)
	if n != nil {
		if err := c.beforeNode(n); err != nil {
			return err
		}
	}
	log, err := os.OpenFile(c.log(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	p := c.parts[name]
	flags := p.flags
	if n != nil {
		flags = slices.Concat(p.flags, c.neighbours(n))
	}
	ch := &child{Cmd: exec.Command(p.program, flags...)}
	ch.Stdout, ch.Stderr = log, log
	if p.leash {
		if ch.input, err = ch.StdinPipe(); err != nil {
			return err
		}
		ch.SysProcAttr = ownGroup() // a Ctrl-C in the terminal must reach this program alone
	} else {
		ch.SysProcAttr = dieWithParent()
	}
	if err := ch.Start(); err != nil {
		return fmt.Errorf("cannot start %s: %w", name, err)
	}
	c.children[name] = ch
	go func() {
		_ = ch.Wait()
		c.exits <- exit{name, ch, ch.ProcessState.String()}
	}()
	if n != nil { // it makes these ports of the machine's loopback reachable inside
		if _, err := fmt.Fprintf(ch.input, "%d\n%d\n", c.apiPort.number, c.registryPort.number); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) waitReady(ctx context.Context, name string) error {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	limit := time.After(startLimit)
	for {
		if c.parts[name].ready() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-c.exits:
			c.forget(e)
			return fmt.Errorf("%s ended (%s) while %s was starting; its log %s ends with:\n%s",
				e.part, e.status, name, c.log(e.part), tail(c.log(e.part)))
		case <-limit:
			return fmt.Errorf("%s is not ready after %s; its log %s ends with:\n%s", name, startLimit, c.log(name), tail(c.log(name)))
		case <-poll.C:
		}
	}
}

// tail returns the last lines of a log, which is usually where the reason is.
func tail(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}

// stop ends a part by SIGTERM, or by closing the input of a part on a leash, and waits for its end.
func (c *cluster) stop(name string) {
	ch, patience := c.children[name], stopLimit
	if ch.input != nil {
		patience = cleanLimit
		ch.input.Close()
	} else {
		_ = ch.Process.Signal(syscall.SIGTERM)
	}
	_ = ch.Process.Signal(syscall.SIGCONT) // a paused part would hear of neither
	limit := time.AfterFunc(patience, func() { _ = ch.Process.Kill() })
	defer limit.Stop()
	c.waitGone(name)
}

func (c *cluster) kill(name string) {
	_ = c.children[name].Process.Kill()
	c.waitGone(name)
}

func (c *cluster) waitGone(name string) {
	for c.children[name] != nil {
		c.forget(<-c.exits)
	}
}

func (c *cluster) forget(e exit) {
	if c.children[e.part] == e.child {
		delete(c.children, e.part)
	}
}

// stopAll ends what is running: first the parts that clean up after themselves, in good order, then the rest at once.
func (c *cluster) stopAll() {
	for _, name := range slices.Backward(allParts) {
		if ch := c.children[name]; ch != nil && ch.input != nil {
			c.stop(name)
		}
	}
	for _, ch := range c.children {
		_ = ch.Process.Kill()
	}
	for len(c.children) > 0 {
		c.forget(<-c.exits)
	}
}

// obey carries out one command line.
func (c *cluster) obey(ctx context.Context, line string) error {
	verb, name, _ := strings.Cut(line, " ")
	if verb == "forward" {
		return c.forward(name)
	}
	if c.parts[name] == nil {
		return fmt.Errorf("%q is none of %s", name, strings.Join(allParts, ", "))
	}
	running := c.children[name]
	if verb == "start" {
		if running != nil {
			return fmt.Errorf("%s is running already", name)
		}
		return c.start(ctx, name)
	}
	if running == nil {
		return fmt.Errorf("%s is not running", name)
	}
	switch verb {
	case "stop":
		c.stop(name)
	case "kill":
		c.kill(name)
	case "pause":
		return running.Process.Signal(syscall.SIGSTOP)
	case "resume":
		return running.Process.Signal(syscall.SIGCONT)
	default:
		return fmt.Errorf("unknown command %q", verb)
	}
	return nil
}

func (c *cluster) pids() map[string]int {
	pids := map[string]int{}
	for name, ch := range c.children {
		pids[name] = ch.Process.Pid
	}
	return pids
}

func (c *cluster) ready() message {
	m := message{"event": "ready", "kubeconfig": c.pki.path("admin.kubeconfig"), "server": c.server, "etcd": c.etcd,
		"pki": string(c.pki), "registry": fmt.Sprintf("127.0.0.1:%d", c.registryPort.number), "millis": c.millis, "pids": c.pids()}
	m["nodes"] = c.nodeInfos()
	return m
}
