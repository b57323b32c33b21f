#!/usr/bin/env python3
"""60 gated jobs on a real API server, while the driver and the server are killed, a node is cordoned and jobs are deleted: each must run once.
Then jobs that the extender of `serve` holds: each must have a node within five seconds of the end of the job that has its GPUs.

    experiments/live/kube.py --out runs/kube --lab FOLDER [--only gated|extender]

FOLDER has up.sh, down.sh and build.sh of a small Kubernetes on this machine (etcd, kube-apiserver, kube-scheduler, nodes without kubelets);
KUBELAB is its program, built into OUT when it is not named. Without the folder nothing is done, and that is said. Needs Go and kubectl."""

import argparse
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

from live import ROOT

TRIES = 240
SCHEDULER = """apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {{kubeconfig: {folder}/admin.conf}}
podMaxBackoffSeconds: 2
leaderElection: {{leaderElect: false}}
extenders:
  - {{urlPrefix: "http://127.0.0.1:{port}/k8s", filterVerb: filter, prioritizeVerb: prioritize, weight: 10, nodeCacheCapable: true, httpTimeout: 5s,
     managedResources: [{{name: nvidia.com/gpu}}]}}
"""


class Kube:
    """The lab in a folder; the API server may be killed and started again with the command by which it was started."""

    def __init__(self, lab, folder, program, port, extender=None):
        self.lab, self.folder = lab, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.env = dict(os.environ, KUBELAB=program, KUBELAB_PORT=str(port), KUBECONFIG=str(folder / "admin.conf"))
        if extender:
            (folder / "scheduler.yaml").write_text(SCHEDULER.format(folder=folder, port=extender))
            self.env["KUBELAB_SCHEDULER"] = str(folder / "scheduler.yaml")

    def __enter__(self):
        subprocess.run([self.lab / "up.sh", self.folder, "4", "8"], env=self.env, check=True)
        return self

    def __exit__(self, *_):
        subprocess.run([self.lab / "down.sh", self.folder], env=self.env)

    def run(self, *words, given=None):
        """What kubectl prints, asked again while the server is away."""
        for _ in range(TRIES):
            done = subprocess.run(["kubectl", *words], env=self.env, input=given, capture_output=True, text=True)
            if not done.returncode or "NotFound" in done.stderr or "AlreadyExists" in done.stderr:
                return done.stdout
            time.sleep(1)
        raise RuntimeError(f"kubectl {' '.join(words)}: {done.stderr.strip()}")

    def kill(self, seconds):
        """Kills the API server, and starts it again so many seconds later."""
        pids = dict(line.split() for line in (self.folder / "pids").read_text().splitlines())
        command = Path(f"/proc/{pids['apiserver']}/cmdline").read_bytes().split(b"\0")[:-1]
        os.kill(int(pids["apiserver"]), signal.SIGKILL)
        time.sleep(seconds)
        with open(self.folder / "log" / "apiserver.log", "ab") as log:
            pids["apiserver"] = str(subprocess.Popen(command, env=self.env, stdout=log, stderr=log, start_new_session=True).pid)
        (self.folder / "pids").write_text("".join(f"{name} {pid}\n" for name, pid in pids.items()))
        self.run("get", "--raw", "/readyz")


class Driver:
    def __init__(self, kube, folder, trainyard):
        self.kube, self.log = kube, folder / "drive.log"
        self.command = [*trainyard, "drive", "kubernetes", "--scheduler", "easy", "--namespace", "team", "--level", "placement",
                        "--every", "0.5", "--budget-ms", "5000", "--out", str(folder / "drive")]

    def start(self):
        before = self.said().count("driving kubernetes")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, env=self.kube.env, stdout=log, stderr=log, start_new_session=True)
        for _ in range(TRIES):
            if self.said().count("driving kubernetes") > before or self.process.poll() is not None:
                break
            time.sleep(0.5)

    def said(self):
        return self.log.read_text() if self.log.exists() else ""

    def end(self, how):
        os.killpg(self.process.pid, how) if how == signal.SIGKILL else self.process.send_signal(how)
        self.process.wait(60)


def job(rng, number):
    """The pods of a job, as a list for kubectl."""
    pods, gpus = rng.choice([(1, 1), (1, 2), (1, 4), (2, 4), (4, 2), (2, 8), (1, 8)])
    limits = {"nvidia.com/gpu": str(gpus)}
    items = [dict(apiVersion="v1", kind="Pod",
                  metadata=dict(name=f"j{number}-{pod}", namespace="team", labels={"trainyard.org/job": f"j{number}"},
                                annotations={"trainyard.org/pods": str(pods), "lab/seconds": str(rng.choice([4, 6, 8, 12]))}),
                  spec=dict(restartPolicy="Never", terminationGracePeriodSeconds=1, schedulingGates=[dict(name="trainyard.org/wait")],
                            containers=[dict(name="c", image="lab", resources=dict(limits=limits, requests=limits))]))
             for pod in range(pods)]
    return json.dumps(dict(apiVersion="v1", kind="List", items=items))


def scenario(kube, folder, trainyard, seed, count=60):
    rng = random.Random(seed)
    kube.run("create", "namespace", "team")
    driver = Driver(kube, folder, trainyard)
    driver.start()
    begin = time.time()
    troubles = [(10, "driver"), (22, "server"), (34, "cordon"), (46, "driver"), (56, "server"), (66, "uncordon"), (76, "driver")]
    deleted = set()
    for number in range(count):
        while troubles and time.time() - begin >= troubles[0][0]:
            what = troubles.pop(0)[1]
            if what == "driver":
                driver.end(signal.SIGKILL)
                driver.start()
            elif what == "server":
                kube.kill(5)
            else:
                kube.run(what, "n02")
        kube.run("create", "-f", "-", given=job(rng, number))
        if number % 12 == 11:
            deleted.add(f"j{number}")
            kube.run("delete", "pods", "-n", "team", "-l", f"trainyard.org/job=j{number}", "--wait=false")
        time.sleep(max(0, begin + 1.6 * (number + 1) - time.time()))
    end = time.time() + 420
    while time.time() < end:
        pods = json.loads(kube.run("get", "pods", "-n", "team", "-o", "json"))["items"]
        if all(pod["status"].get("phase") == "Succeeded" for pod in pods):
            break
        time.sleep(2)
    driver.end(signal.SIGTERM)
    done, told = {}, {}
    for pod in pods:
        name = pod["metadata"]["labels"]["trainyard.org/job"]
        done.setdefault(name, []).append(pod["status"].get("phase") == "Succeeded")
        told.setdefault(name, set()).add(pod["metadata"]["annotations"].get("trainyard.org/told"))
    once = [name for name, pods in done.items() if all(pods)]
    stuck = sorted(set(done) - set(once))
    strange = [line for line in driver.said().splitlines() if not re.match(r"\d\d:\d\d:\d\d", line)]
    silent = [line for line in driver.said().splitlines() if "poll missed" in line]
    return [
        ("three kills of the driver, two of the API server, a cordon", count - len(deleted),
         f"{len(set(once) - deleted)} ran once, {len(stuck)} are stuck {' '.join(stuck)}", len(set(once) - deleted) == count - len(deleted) and not stuck),
        ("jobs deleted", len(deleted), f"{len(deleted & set(done))} are left", not deleted & set(done)),
        ("lines of a broken watch", len(silent), f"{len(strange)} lines besides", len(silent) <= 4 and not strange),
    ]


def nodes():
    """The cluster of the lab's first two nodes, for the service."""
    servers = [dict(id=name, kind="a100-8") for name in ("n01", "n02")]
    interior = dict(gpus=8, gpu_type="A100", sockets=2, nvlink=True, cpu_milli=None, memory_mib=None, sharing="whole")
    return dict(type="Graph", name="lab", shape="clos", nvlink=dict(gigabytes_per_second=150, latency_micros=1),
                pcie=dict(gigabytes_per_second=12, latency_micros=2), kinds=[dict(id="a100-8", server=interior)],
                switches=[dict(id="switch", tier="leaf")], servers=servers,
                links=[dict({"from": one["id"]}, to="switch", gigabytes_per_second=12.5, latency_micros=5, count=1) for one in servers])


def extended(kube, folder, trainyard, port, seed, trials=10):
    """A full cluster, a job that is held by the extender, and the end of the job that fills it: how long until its pod has a node."""
    rng = random.Random(seed)
    log = open(folder / "serve.log", "ab")
    (folder / "lab.yaml").write_text(json.dumps(nodes()))
    service = subprocess.Popen([*trainyard, "serve", "fifo", "--bind", "--watch-pods", "--cluster", str(folder / "lab.yaml"), "--port", str(port)],
                               env=kube.env, stdout=log, stderr=log, start_new_session=True)
    try:
        for _ in range(TRIES):
            if "serving" in (folder / "serve.log").read_text():
                break
            time.sleep(0.5)
        kube.run("create", "namespace", "team")
        limits, waits = {"nvidia.com/gpu": "8"}, []

        def make(job, count):
            pods = [dict(apiVersion="v1", kind="Pod", metadata=dict(name=f"{job}-{pod}", namespace="team", labels={"trainyard.org/job": job},
                                                                    annotations={"trainyard.org/pods": str(count), "lab/seconds": "3600"}),
                         spec=dict(containers=[dict(name="c", image="lab", resources=dict(limits=limits, requests=limits))])) for pod in range(count)]
            kube.run("create", "-f", "-", given=json.dumps(dict(apiVersion="v1", kind="List", items=pods)))

        def told(job, path):
            return kube.run("get", "pods", "-n", "team", "-l", f"trainyard.org/job={job}", "-o", "jsonpath={range .items[*]}{" + path + "} {end}").split()

        def bound(job, count):
            begun = time.time()
            while len(told(job, ".spec.nodeName")) < count and time.time() - begun < 60:
                time.sleep(0.1)
            return time.time() - begun

        for number in range(trials):
            filling, held = f"a{number}", f"b{number}"
            make(filling, 2)
            bound(filling, 2)
            make(held, 1)
            for _ in range(TRIES):
                if told(held, ".status.conditions[*].reason"):
                    break
                time.sleep(0.1)
            time.sleep(rng.uniform(0, 12))
            is_held = not told(held, ".spec.nodeName")
            kube.run("delete", "pods", "-n", "team", "-l", f"trainyard.org/job={filling}", "--now")
            waits.append(bound(held, 1) if is_held else 1e9)
            kube.run("delete", "pods", "-n", "team", "-l", f"trainyard.org/job={held}", "--now")
    finally:
        os.killpg(service.pid, signal.SIGTERM)
        service.wait(60)
    return [("jobs that the extender holds until another ends", len(waits),
             f"bound after {statistics.median(waits):.1f} s (median), at most {max(waits):.1f} s", max(waits) < 5)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--lab", default=str(ROOT.parent / "shared" / "kube-lab"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", choices=["gated", "extender"])
    parser.add_argument("--port", type=int, default=18700)
    parser.add_argument("--trainyard", default=str(ROOT / "trainyard"))
    args = parser.parse_args()
    lab, out = Path(args.lab), Path(args.out).resolve()
    if not (lab / "up.sh").exists():
        print(f"nothing was tested: {lab} has no lab of Kubernetes")
        return
    for old in [out / "lab", out / "extended", out / "drive", *out.glob("*.log")]:  # of a run before; the lab's program stays
        if (old / "pids").exists():
            sys.exit(f"{old} is still up: end it with {lab}/down.sh {old}")
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run([*args.trainyard.split(), "--version"], check=True, stdout=subprocess.DEVNULL)  # built before anything is timed
    program = os.environ.get("KUBELAB", str(out / "kubelab"))
    if not Path(program).exists():
        subprocess.run([lab / "build.sh", program], check=True)
    rows = []
    if args.only != "extender":
        with Kube(lab, out / "lab", program, args.port) as kube:
            rows += scenario(kube, out, args.trainyard.split(), args.seed)
    if args.only != "gated":
        with Kube(lab, out / "extended", program, args.port + 10, args.port + 9) as kube:
            rows += extended(kube, out, args.trainyard.split(), args.port + 9, args.seed)
    lines = ["| done on purpose | jobs | what happened | as it must be |", "|---|--:|---|---|"]
    lines += [f"| {what} | {jobs} | {happened} | {'yes' if good else 'no'} |" for what, jobs, happened, good in rows]
    (out / "kube.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    sys.exit(0 if all(row[-1] for row in rows) else 1)


if __name__ == "__main__":
    main()
