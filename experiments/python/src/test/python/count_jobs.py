#!/usr/bin/env python3
"""Counts jobs and GPU-seconds of a log without Trainyard's readers.  Usage: count_jobs.py FORMAT FILE...

The expected figures of LogCountsTest are what this prints. One function a format, each written from the format's description alone.
"""
import csv, datetime, gzip, io, json, sys


def text(path):
    lines = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    return io.StringIO("".join(line for line in lines if not line.startswith("#")))


def clock(stamp):
    return datetime.datetime.fromisoformat(stamp).timestamp()


def gres(tres):
    return sum(int(part.split("=")[1]) for part in tres.split(",") if part.startswith("gres/gpu="))


def sacct(path):  # runs that held GPUs for a second or more; those of one id are one job
    rows = [row for row in csv.DictReader(text(path), delimiter="|") if "." not in row["JobID"]]
    ran = [r for r in rows if r["Start"] not in ("Unknown", "None") and gres(r["AllocTRES"]) and r["Start"] != r["End"]]
    return len({r["JobID"] for r in ran}), sum(gres(r["AllocTRES"]) * (clock(r["End"]) - clock(r["Start"])) for r in ran)


def sacct_json(path):
    ran = {}
    for job in json.load(text(path))["jobs"]:
        gpus = sum(t["count"] for t in job["tres"]["allocated"] if t["type"] == "gres" and t["name"] == "gpu")
        if gpus and job["time"]["end"] > job["time"]["start"] > 0:
            ran[job["job_id"]] = ran.get(job["job_id"], 0) + gpus * (job["time"]["end"] - job["time"]["start"])
    return len(ran), sum(ran.values())


def openb(path):  # from scheduled_time, or creation_time when it is empty, for a second at least
    held = [(int(r["num_gpu"]) * int(r["gpu_milli"]) / 1000, max(1, float(r["deletion_time"]) - float(r["scheduled_time"] or r["creation_time"])))
            for r in csv.DictReader(text(path))]
    return len(held), sum(gpus * seconds for gpus, seconds in held)


def gpu_v2025(path):
    rows = [r for r in csv.DictReader(text(path)) if r["creation_time"] and r["scheduled_time"] and r["deletion_time"] and float(r["gpu_request"]) > 0]
    ran = [(float(r["gpu_request"]), float(r["deletion_time"]) - float(r["scheduled_time"])) for r in rows]
    return len([1 for _, seconds in ran if seconds > 0]), sum(gpus * seconds for gpus, seconds in ran)


def philly_log(path):  # the attempts of a job
    jobs = [(j["num_gpus"], sum(clock(a["end_time"]) - clock(a["start_time"]) for a in j["attempts"] if a["start_time"] and a["end_time"]))
            for j in json.load(text(path))]
    return len([1 for _, seconds in jobs if seconds > 0]), sum(gpus * seconds for gpus, seconds in jobs)


def batsim(path):
    load = json.load(text(path))
    fixed = [(j["res"], load["profiles"][j["profile"]]) for j in load["jobs"] if load["profiles"][j["profile"]]["type"].lower().startswith("delay")]
    return len(fixed), sum(gpus * profile["delay"] for gpus, profile in fixed)


def gavel(path):  # steps at the measured speed on V100s, from Gavel's file of speeds beside it
    speeds = json.load(text(path.rsplit("/", 1)[0] + "/simulation_throughputs.json.gz"))["v100"]
    rows = [line.rstrip("\n").split("\t") for line in text(path) if line.strip()]
    jobs = [(r[0], int(r[5]), int(r[6])) for r in rows]
    return len(jobs), sum(gpus * steps / speeds[str((kind, gpus))]["null"] for kind, steps, gpus in jobs)


def swf(path):  # field 5 processors, field 4 run time
    rows = [line.split() for line in text(path) if line.strip() and not line.startswith(";")]
    ran = [(int(r[4]), float(r[3])) for r in rows if int(r[4]) > 0 and float(r[3]) > 0]
    return len(ran), sum(gpus * seconds for gpus, seconds in ran)


def table(gpus, seconds):
    def count(path):
        rows = [(float(r[gpus]), float(r[seconds])) for r in csv.DictReader(text(path))]
        return len(rows), sum(a * b for a, b in rows if b > 0)
    return count


FORMATS = dict(sacct=sacct, sacct_json=sacct_json, openb=openb, gpu_v2025=gpu_v2025, batsim=batsim, gavel=gavel, swf=swf,
               philly_log=philly_log,
               itp=table("num_gpu", "duration"), helios=table("num_chips", "duration_s"), philly=table("num_gpus", "duration"),
               tiresias=table("num_gpu", "duration"))

if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(name, *FORMATS[sys.argv[1]](name), sep=", ")
