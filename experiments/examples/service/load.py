"""Loads a placement service: jobs come and end, and what it proposes is carried out.

    ./trainyard serve sjf --cluster 25x40x8
    python3 experiments/examples/service/load.py --cluster 25x40x8 --rate 200 --seconds 12

With --backlog nothing is carried out, so that all jobs wait at every question; then the queue is cancelled, and the time is
measured until the policy answers for the one job that is left.

    ./trainyard serve checkpoints/default --cluster 25x40x8
    python3 experiments/examples/service/load.py --cluster 25x40x8 --backlog --rate 20 --seconds 30

With --fresh N the first N thousand answers of a process that has just started have a row each. Nine of ten servers are
filled by events alone first.

    ./trainyard serve checkpoints/default --cluster 25x50x8
    python3 experiments/examples/service/load.py --cluster 25x50x8 --fresh 4 --rate 50
"""

import argparse
import collections
import http.client
import itertools
import json
import random
import time

SECOND = 10**9
GPUS = [1, 1, 2, 4, 8, 8, 16, 32]


class Client:
    def __init__(self, port, cluster):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.cluster = cluster
        view = self.send("GET", f"/v1/clusters/{cluster}")
        self.sequence, self.now, self.arrived = view["sequence"], view["now_nanos"], view["arrived"]
        self.running = [job["job"] for job in view["running"]]
        self.events = []

    def send(self, method, path, body=None):
        headers = {"Content-Type": "application/json"}
        while True:
            self.connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = self.connection.getresponse()
            text = response.read()
            if response.status != 429:
                break
            time.sleep(0.05)
        if response.status != 200:
            raise SystemExit(f"{path}: {response.status} {text}")
        return json.loads(text)

    def event(self, **fields):
        self.sequence += 1
        self.events.append({"sequence": self.sequence, "time_nanos": self.now, **fields})

    def flush(self):
        if self.events:
            self.send("POST", f"/v1/clusters/{self.cluster}/events", {"events": self.events})
            self.events = []

    def cycle(self, ends):
        """One arrival, some ends, one question; returns the milliseconds of the question and who decided."""
        for _ in range(ends if len(self.running) > 300 else 0):
            self.event(type="ended", job=self.running.pop(random.randrange(len(self.running))))
        self.arrive(gpus=random.choice(GPUS))
        self.flush()
        millis, answer = self.ask()
        self.carry_out(answer)
        return millis, answer

    def carry_out(self, answer):
        for decision in answer["decisions"]:
            if decision["kind"] == "start":
                self.event(type="started", job=decision["job"], placement=decision["placement"])
                self.running.append(decision["job"])
            elif decision["kind"] == "preempt":
                self.event(type="preempted", job=decision["job"])
                self.running.remove(decision["job"])
        self.flush()

    def arrive(self, **fields):
        self.arrived += 1
        self.event(type="arrival", job=f"j{self.arrived}", user=f"u{self.arrived % 12}", **fields)
        return f"j{self.arrived}"

    def ask(self, later=SECOND):
        """Asks so many nanoseconds later; returns the milliseconds and the answer."""
        self.now += later
        start = time.perf_counter()
        answer = self.send("POST", "/v1/placements", {"cluster": self.cluster, "now_nanos": self.now})
        return 1e3 * (time.perf_counter() - start), answer


def at_rate(rate, seconds, question):
    """The results of questions at this rate for so long."""
    results, begin = [], time.time()
    while time.time() - begin < seconds:
        results.append(question())
        time.sleep(max(0, begin + len(results) / rate - time.time()))
    return results, time.time() - begin


def report(results, seconds):
    millis = sorted(took for took, _ in results)
    at = lambda share: millis[int(share * (len(millis) - 1))]
    kinds = collections.Counter(
        answer["decided_by"] + ("" if answer["complete"] else ", incomplete") for _, answer in results
    )
    print(
        f"{len(millis)} questions, {len(millis) / seconds:.0f}/s, p50 {at(.5):.1f} ms, "
        f"p99 {at(.99):.1f} ms, max {at(1):.1f} ms, by {dict(kinds)}",
        flush=True,
    )


def backlog(client, args):
    """All jobs wait at every question; then they are cancelled."""
    jobs = []
    while len(jobs) < args.fill:
        jobs.append(client.arrive(gpus=[1, 2, 4, 8, 16][len(jobs) % 5], model="resnet50"))
        if len(client.events) == 500:
            client.flush()
    client.flush()
    ask = lambda: client.ask(int(SECOND / args.rate))
    if args.warm_up:
        at_rate(args.rate, args.warm_up, ask)
    report(*at_rate(args.rate, args.seconds, ask))
    for job in jobs:
        client.event(type="cancelled", job=job)
    client.flush()
    client.arrive(gpus=1)
    client.flush()
    begin = time.time()
    for questions in itertools.count(1):
        _, answer = client.ask()
        if answer["decided_by"] == "policy" and answer["complete"]:
            break
        time.sleep(0.05)
    print(f"the queue is cancelled: the policy answers after {time.time() - begin:.2f} s, {questions} questions")


def fresh(client, args):
    """A row for each thousand answers, from the first one of the process on."""
    servers = client.send("GET", f"/v1/clusters/{args.cluster}")["servers"]
    for server in range(servers * 9 // 10):
        job = client.arrive(gpus=8)
        client.event(type="started", job=job, placement=[{"server": f"server {server}", "gpus": list(range(8))}])
        client.running.append(job)
    client.flush()
    for _ in range(args.fresh):
        begin, results = time.time(), []
        for asked in range(1, 1001):
            results.append(client.cycle(2))
            time.sleep(max(0, begin + asked / args.rate - time.time()))
        report(results, time.time() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--cluster", required=True)
    parser.add_argument("--fill", type=int, default=1400, help="arrivals before the measurement")
    parser.add_argument("--rate", type=float, default=200, help="questions a second")
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--backlog", action="store_true", help="carry nothing out, then cancel all jobs")
    parser.add_argument("--fresh", type=int, help="so many rows, of the first 1,000 answers and those that follow")
    parser.add_argument("--warm-up", type=float, default=0, help="seconds of questions before those of --backlog")
    args = parser.parse_args()
    random.seed(1)
    client = Client(args.port, args.cluster)
    if args.backlog:
        return backlog(client, args)
    if args.fresh:
        return fresh(client, args)
    for _ in range(args.fill):
        client.cycle(0)
    report(*at_rate(args.rate, args.seconds, lambda: client.cycle(2)))


if __name__ == "__main__":
    main()
