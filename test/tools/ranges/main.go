// Program ranges answers, for each line "<version>\t<range>" of its input, whether the version lies in the range:
// yes, no, bad-version or bad-range, as github.com/Masterminds/semver/v3 has it.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/Masterminds/semver/v3"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 64*1024), 1024*1024)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		version, constraint, _ := strings.Cut(in.Text(), "\t")
		fmt.Fprintln(out, answer(version, constraint))
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "ranges:", err)
		os.Exit(1)
	}
}

func answer(version, constraint string) string {
	c, err := semver.NewConstraint(constraint)
	if err != nil {
		return "bad-range"
	}
	v, err := semver.NewVersion(version)
	if err != nil {
		return "bad-version"
	}
	if c.Check(v) {
		return "yes"
	}
	return "no"
}
