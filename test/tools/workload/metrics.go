package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// writeMetrics writes the counts of this process in the text format of Prometheus.
func (w *workload) writeMetrics(out io.Writer) {
	ready := 1
	if w.unready.Load() {
		ready = 0
	}
	fmt.Fprintf(out, "# HELP workload_info Constant 1, with the version of the image.\n# TYPE workload_info gauge\n")
	fmt.Fprintf(out, "workload_info{version=%q} 1\n", w.version)
	fmt.Fprintf(out, "# HELP workload_ready Whether health checks are answered well.\n# TYPE workload_ready gauge\nworkload_ready %d\n", ready)
	fmt.Fprintf(out, "# HELP workload_connections_total Connections taken by all ports.\n# TYPE workload_connections_total counter\n")
	fmt.Fprintf(out, "workload_connections_total %d\n", w.accepted.Load())
	fmt.Fprintf(out, "# HELP workload_requests_total Requests taken by the HTTP ports.\n# TYPE workload_requests_total counter\n")
	fmt.Fprintf(out, "workload_requests_total %d\n", w.requests.Load())
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.peers) == 0 {
		return
	}
	fmt.Fprintf(out, "# HELP workload_exchanges_total Connections made to peers.\n# TYPE workload_exchanges_total counter\n")
	for _, to := range slices.Sorted(maps.Keys(w.peers)) {
		p := w.peers[to]
		fmt.Fprintf(out, "workload_exchanges_total{peer=%q,result=\"ok\"} %d\n", to, p.ok.Load())
		fmt.Fprintf(out, "workload_exchanges_total{peer=%q,result=\"failed\"} %d\n", to, p.failed.Load())
	}
}
