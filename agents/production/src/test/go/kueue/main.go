// Command kueue draws random configurations and workloads, lets the scheduler of Kueue 0.17.0 decide about them cycle
// by cycle, and prints each case with the answers as a line of JSON. What it prints for the seeds 1 to 230 is kept in
// agents/production/src/test/resources/org/trainyard/agents/heuristic/kueue/answers.jsonl.gz:
//
//	go mod tidy && go run . 1 230 | gzip -9n > answers.jsonl.gz
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strconv"
)

// Answers that vary seldom show only in many runs.
const runs = 8

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
	first, _ := strconv.ParseInt(os.Args[1], 10, 64)
	last, _ := strconv.ParseInt(os.Args[2], 10, 64)
	out := json.NewEncoder(os.Stdout)
	varying := 0
	for seed := first; seed <= last; seed++ {
		c := draw(seed)
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
