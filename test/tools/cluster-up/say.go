package main

import (
	"encoding/json"
	"os"
)

// message is one line of JSON on standard output; its "event" is ready, done, failed or exited.
type message map[string]any

// say cannot fail usefully: a closed standard output means that the parent is gone, and then standard input ends as well.
func say(m message) { _ = json.NewEncoder(os.Stdout).Encode(m) }
