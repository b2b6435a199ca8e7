package main

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is what the HTTP ports say at a path, when they were told to.
type answer struct {
	status int
	kind   string // content type
	body   []byte
	delay  time.Duration
	times  int // how often yet; below zero: always
}

// setAnswer takes an answer from a request to the control port.
func (w *workload) setAnswer(r *http.Request) error {
	query := r.URL.Query()
	path := query.Get("path")
	if !strings.HasPrefix(path, "/") {
		return fmt.Errorf("path %q does not begin with /", path)
	}
	numbers := map[string]int{"status": http.StatusOK, "delay": 0, "times": -1}
	for name := range numbers {
		if text := query.Get(name); text != "" {
			number, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("%s %q is no number", name, text)
			}
			numbers[name] = number
		}
	}
	if numbers["status"] < 200 || numbers["status"] > 599 {
		return fmt.Errorf("status %d is not between 200 and 599", numbers["status"])
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers[path] = &answer{numbers["status"], query.Get("type"), body, time.Duration(numbers["delay"]) * time.Millisecond, numbers["times"]}
	return nil
}

func (w *workload) unsetAnswer(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.answers, path)
}

// told finds the answer for a path, and counts it.
func (w *workload) told(path string) *answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.answers[path]
	if a == nil || a.times == 0 {
		return nil
	}
	if a.times > 0 {
		a.times--
	}
	return a
}

func (a *answer) write(out http.ResponseWriter, r *http.Request) {
	select {
	case <-time.After(a.delay):
	case <-r.Context().Done():
		return
	}
	if a.kind != "" {
		out.Header().Set("content-type", a.kind)
	}
	out.WriteHeader(a.status)
	_, _ = out.Write(a.body)
}
