// Command kueue draws random configurations and workloads, lets the scheduler of Kueue decide about them cycle by cycle,
// and prints each case with the answers as a line of JSON. Three of its prints are kept in
// agents/production/src/test/resources/org/trainyard/agents/heuristic/kueue, the second of usage-based fair sharing, the third
// of slices of elastic jobs:
//
//	go mod tidy && go run . 1 230 | gzip -9n > answers.jsonl.gz
//	go mod tidy && go run . usage 1 24 | gzip -9n > usage.jsonl.gz
//	go mod tidy && go run . slices 1 97 | gzip -9n > slices.jsonl.gz
//
// The first is of Kueue 0.17.0 (in go.mod; there IsEvicted is in pkg/workload, and usage.go, slices.go and what calls them
// are left out), the others of 0.19.2.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"

	"github.com/go-logr/logr"
	feature "k8s.io/apiserver/pkg/util/feature"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Answers that vary seldom show only in many runs.
var runs = 8

// Null where Kueue itself fails: with fair sharing, for a queue without cohort whose victims are not enough.
func tryAnswers(c *kase) (cycles [][]cycle) {
	defer func() {
		if failure := recover(); failure != nil {
			fmt.Fprintln(os.Stderr, "case", c.Seed, failure)
			cycles = nil
		}
	}()
	return answers(c)
}

func main() {
	// It saves tries that would fail, and so changes in which cycle the next head comes.
	must(feature.DefaultMutableFeatureGate.Set("SchedulingEquivalenceHashing=false"))
	ctrl.SetLogger(logr.Discard())
	drawn, args := draw, os.Args[1:]
	if args[0] == "usage" {
		drawn, args, runs = drawUsage, args[1:], 2
	}
	if args[0] == "slices" {
		drawn, args, runs = drawSlices, args[1:], 4
		// Of 0.19 alone, and no rule of slices.
		must(feature.DefaultMutableFeatureGate.Set("FlavorFungibilityPreserveScanProgress=false"))
	}
	first, _ := strconv.ParseInt(args[0], 10, 64)
	last, _ := strconv.ParseInt(args[1], 10, 64)
	out := json.NewEncoder(os.Stdout)
	varying := 0
	for seed := first; seed <= last; seed++ {
		c := drawn(seed)
		if c.Cycles = tryAnswers(c); c.Cycles == nil {
			continue
		}
		same := true
		// Kueue goes through maps; what differs between runs has no one answer.
		for i := 1; i < runs; i++ {
			same = same && reflect.DeepEqual(c.Cycles, answers(c))
		}
		if !same {
			varying++
			continue
		}
		if err := out.Encode(c); err != nil {
			panic(err)
		}
	}
	fmt.Fprintln(os.Stderr, varying, "cases left out whose answers vary")
}
