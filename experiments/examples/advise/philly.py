"""Philly jobs with the starts that are known, in Trainyard's own trace format.

Usage: philly.py philly_pass.csv.gz philly_multigpu_attempts.json.gz > philly.csv

The first file has all jobs that passed; the second the attempts of those with four GPUs or more. A job's duration is the
sum of its attempts, so what lies between attempts counts as waiting. Both files are in ../shared/data/philly.
"""
import csv
import datetime
import gzip
import json
import sys

ZERO = datetime.datetime(2017, 9, 4)


def seconds(text):
    return (datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S") - ZERO).total_seconds()


def known(path):
    """Start and end by submission and GPUs."""
    runs = {}
    for job in json.load(gzip.open(path, "rt")):
        attempts = [a for a in job["attempts"] if a["start_time"] and a["end_time"]]
        if attempts:
            start = min(seconds(a["start_time"]) for a in attempts)
            end = max(seconds(a["end_time"]) for a in attempts)
            runs.setdefault((job["submitted_time"], int(job["num_gpus"])), []).append((start, end))
    return runs


def main():
    runs = known(sys.argv[2])
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["job", "submit_s", "gpus", "duration_s", "virtual_cluster", "start_s", "end_s"])
    rows = list(csv.DictReader(gzip.open(sys.argv[1], "rt")))
    rows.sort(key=lambda row: row["timestamp"])
    for number, row in enumerate(rows):
        gpus, duration, submit = int(row["num_gpus"]), float(row["duration"]), seconds(row["timestamp"])
        matches = runs.get((row["timestamp"], gpus), [])
        start, end = matches.pop() if matches else ("", "")
        if start != "" and (start < submit or end - start < duration - 1):
            start, end = "", ""
        out.writerow([number, submit, gpus, max(duration, 1), row["cluster"], start, end])


main()
