"""Asks a placement service for a long time and says whether its resident memory grows.

    ./trainyard serve checkpoints/default --cluster 3x8x8 --state /tmp/state
    python3 experiments/examples/service/soak.py --cluster 3x8x8 --pid PID --minutes 30

Each second has one arrival, and as many jobs end as start; what the service proposes is carried out. The slope is that of the last two
thirds: least squares over means of a minute, with a 95 % interval of Student's t. With --trim the C library gives memory that
is free back before each reading (by jcmd, Java 17.0.9 or later), so that only memory in use counts.
"""

import argparse
import math
import random
import subprocess
import time

from load import SECOND, Client

# 97.5 % points of Student's t by degrees of freedom.
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 8: 2.31, 10: 2.23, 14: 2.14, 18: 2.10, 30: 2.04}


def resident_megabytes(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def slope(points):
    """Megabytes a minute and half of the interval, of means by minute."""
    minutes = {}
    for at, megabytes in points:
        minutes.setdefault(int(at // 60), []).append(megabytes)
    xs = sorted(minutes)
    ys = [sum(minutes[x]) / len(minutes[x]) for x in xs]
    if len(xs) < 3:
        return float("nan"), float("inf")
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    steep = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / spread
    rest = sum((y - mean_y - steep * (x - mean_x)) ** 2 for x, y in zip(xs, ys))
    freedom = len(xs) - 2
    student = STUDENT[max(known for known in STUDENT if known <= freedom)]
    return steep, student * math.sqrt(rest / freedom / spread)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--cluster", required=True)
    parser.add_argument("--pid", type=int, required=True, help="process of the service")
    parser.add_argument("--rate", type=float, default=100, help="questions a second")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--most-running", type=int, default=100, help="jobs that run at a time")
    parser.add_argument("--trim", action="store_true", help="let the C library give free memory back first")
    args = parser.parse_args()
    random.seed(1)
    client = Client(args.port, args.cluster)
    points, questions, begin, by_policy = [], 0, time.time(), 0
    while time.time() - begin < 60 * args.minutes:
        if questions % int(args.rate) == 0:
            client.now += SECOND
            client.arrive(gpus=random.choice([1, 2, 4]))
            while len(client.running) > args.most_running:
                client.event(type="ended", job=client.running.pop(random.randrange(len(client.running))))
            client.flush()
            if questions // int(args.rate) % (30 if args.trim else 5) == 0:
                if args.trim:
                    subprocess.run(["jcmd", str(args.pid), "System.trim_native_heap"], check=True, capture_output=True)
                points.append((time.time() - begin, resident_megabytes(args.pid)))
        answer = client.send(
            "POST",
            "/v1/placements",
            {"cluster": args.cluster, "now_nanos": client.now + questions % int(args.rate) * SECOND // int(args.rate)},
        )
        client.now = answer["now_nanos"]
        client.carry_out(answer)
        questions += 1
        by_policy += answer["decided_by"] == "policy"
        time.sleep(max(0, begin + questions / args.rate - time.time()))
    last = [point for point in points if point[0] >= 60 * args.minutes / 3]
    steep, half = slope(last)
    print(
        f"{questions} questions in {(time.time() - begin) / 60:.1f} minutes, {by_policy} answers by the policy, resident memory "
        f"{points[0][1]:.0f} MB at first, {min(y for _, y in last):.0f} to {max(y for _, y in last):.0f} MB in the last two "
        f"thirds, slope {steep:+.3f} MB a minute, 95 % interval {steep - half:+.3f} to {steep + half:+.3f}"
    )


if __name__ == "__main__":
    main()
