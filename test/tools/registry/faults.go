package main

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"sync"
	"time"
)

// fault is what happens to the next requests that match, instead of or beside the true answer.
type fault struct {
	Method  string            `json:"method,omitempty"` // empty: any
	Path    string            `json:"path"`             // regular expression on the path with its query
	Times   int               `json:"times"`            // how many requests it hits
	Status  int               `json:"status,omitempty"` // answer with this status and Body; 0: the true answer
	DelayMs int               `json:"delayMs,omitempty"`
	Cut     int               `json:"cut,omitempty"` // end the connection after so many bytes of the true body
	Body    string            `json:"body,omitempty"`
	Header  map[string]string `json:"header,omitempty"`

	path *regexp.Regexp
}

// faulty puts the faults in front of the registry and keeps a log of the requests.
type faulty struct {
	next http.Handler

	mu     sync.Mutex
	faults []*fault
	log    []string
}

func (f *faulty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/_faults" {
		f.control(w, r)
		return
	}
	hit := f.take(r)
	if hit == nil {
		f.next.ServeHTTP(w, r)
		return
	}
	select {
	case <-time.After(time.Duration(hit.DelayMs) * time.Millisecond):
	case <-r.Context().Done():
		return
	}
	for name, value := range hit.Header {
		w.Header().Set(name, value)
	}
	if hit.Status != 0 {
		w.WriteHeader(hit.Status)
		_, _ = io.WriteString(w, hit.Body)
		return
	}
	if hit.Cut > 0 {
		w = &cutter{w, hit.Cut}
	}
	f.next.ServeHTTP(w, r)
}

// take writes the request to the log and uses up one time of the first fault that matches it.
func (f *faulty) take(r *http.Request) *fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, r.Method+" "+r.URL.RequestURI())
	for _, candidate := range f.faults {
		if candidate.Times > 0 && (candidate.Method == "" || candidate.Method == r.Method) && candidate.path.MatchString(r.URL.RequestURI()) {
			candidate.Times--
			return candidate
		}
	}
	return nil
}

func (f *faulty) control(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch r.Method {
	case http.MethodPut:
		faults := []*fault{}
		if err := json.NewDecoder(r.Body).Decode(&faults); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, next := range faults {
			var err error
			if next.path, err = regexp.Compile(next.Path); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
		}
		f.faults = faults
	case http.MethodDelete:
		f.faults, f.log = nil, nil
	}
	left, log := f.faults, f.log
	if left == nil {
		left = []*fault{}
	}
	if log == nil {
		log = []string{}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"faults": left, "log": log})
}

// cutter ends the connection after so many bytes of the body.
type cutter struct {
	http.ResponseWriter
	left int
}

func (c *cutter) Write(b []byte) (int, error) {
	if len(b) < c.left {
		c.left -= len(b)
		return c.ResponseWriter.Write(b)
	}
	_, _ = c.ResponseWriter.Write(b[:c.left])
	_ = http.NewResponseController(c.ResponseWriter).Flush()
	panic(http.ErrAbortHandler) // the way of net/http to end a connection in the middle of an answer
}
