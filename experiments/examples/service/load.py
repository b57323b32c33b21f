"""Loads a placement service: jobs come and end, and what it proposes is carried out.

    ./trainyard serve sjf --cluster 25x40x8
    python3 experiments/examples/service/load.py --cluster 25x40x8 --rate 200 --seconds 12
"""

import argparse
import http.client
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
        self.now += SECOND
        self.arrived += 1
        for _ in range(ends if len(self.running) > 300 else 0):
            self.event(type="ended", job=self.running.pop(random.randrange(len(self.running))))
        job, user = f"j{self.arrived}", f"u{self.arrived % 12}"
        self.event(type="arrival", job=job, gpus=random.choice(GPUS), user=user)
        self.flush()
        start = time.perf_counter()
        answer = self.send("POST", "/v1/placements", {"cluster": self.cluster, "now_nanos": self.now})
        millis = 1e3 * (time.perf_counter() - start)
        for decision in answer["decisions"]:
            if decision["kind"] == "start":
                self.event(type="started", job=decision["job"], placement=decision["placement"])
                self.running.append(decision["job"])
            elif decision["kind"] == "preempt":
                self.event(type="preempted", job=decision["job"])
                self.running.remove(decision["job"])
        self.flush()
        return millis, answer["decided_by"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--cluster", required=True)
    parser.add_argument("--fill", type=int, default=1400, help="arrivals before the measurement")
    parser.add_argument("--rate", type=float, default=200, help="questions a second")
    parser.add_argument("--seconds", type=float, default=12)
    args = parser.parse_args()
    random.seed(1)
    client = Client(args.port, args.cluster)
    for _ in range(args.fill):
        client.cycle(0)
    millis, fallbacks, begin = [], 0, time.time()
    while time.time() - begin < args.seconds:
        took, decided_by = client.cycle(2)
        millis.append(took)
        fallbacks += decided_by != "policy"
        time.sleep(max(0, begin + len(millis) / args.rate - time.time()))
    millis.sort()
    at = lambda share: millis[int(share * (len(millis) - 1))]
    print(
        f"{len(millis)} questions, {len(millis) / (time.time() - begin):.0f}/s, p50 {at(.5):.1f} ms, "
        f"p99 {at(.99):.1f} ms, max {at(1):.1f} ms, by the fallback {fallbacks}"
    )


if __name__ == "__main__":
    main()
