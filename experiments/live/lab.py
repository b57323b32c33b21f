"""A private Slurm on this machine: munge, slurmctld and eight slurmd with four fake GPUs each, on the loopback address.

It needs root (slurmd sets limits) and Debian's packages slurm-wlm and munge; `install()` gets them. Everything is in one folder,
and only processes that were started here are ended."""

import os
import re
import shutil
import socket
import subprocess
import time
from datetime import datetime
from pathlib import Path

PACKAGES = ["slurm-wlm", "slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins", "munge", "faketime"]
NODES = [f"n{i:02d}" for i in range(1, 9)]
GPUS = 4

CONF = """ClusterName=live
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={dir}/munge.sock
StateSaveLocation={dir}/state
SlurmdSpoolDir={dir}/spool/%n
SlurmctldPidFile={dir}/ctld.pid
SlurmdPidFile={dir}/slurmd.%n.pid
SlurmctldLogFile={dir}/ctld.log
SlurmdLogFile={dir}/slurmd.%n.log
SlurmctldDebug=info
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters={select}
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,bf_resolution=1,bf_window=1440,bf_max_job_test=1000,bf_continue,batch_sched_delay=1
PriorityType=priority/basic
MinJobAge=30
KillWait=2
SlurmdTimeout={lost}
GresTypes=gpu
{nodes}
PartitionName=gpu Nodes=n[01-08] Default=YES MaxTime=INFINITE State=UP
"""

# Nodes of three types, memory that binds, licences, and jobs that wait until all nodes of another are clean.
MIXED = """CR_Core_Memory
DefMemPerCPU=200
Licenses=fluent:3,ansys:2
CompleteWait=2"""
TYPES = {"n04": "v100:2", "n05": "v100:2", "n08": "h100:8"}


def install():
    """Gets Debian's packages where they are missing."""
    if all(shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") for name in ("slurmctld", "munged", "faketime")):
        return
    subprocess.run(["apt-get", "update", "-q"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(
        ["apt-get", "install", "-yq", "--no-install-recommends", *PACKAGES],
        check=True,
        stdout=subprocess.DEVNULL,
        env=dict(os.environ, DEBIAN_FRONTEND="noninteractive", POLICYRCD="deny"),
    )


class Lab:
    """One Slurm. `with Lab(folder, port) as lab:` brings it up and takes it down."""

    def __init__(self, folder, port, lost_seconds=300, mixed=False):
        self.dir = Path(folder).resolve()
        self.port = port
        self.lost = lost_seconds
        self.mixed = mixed
        self.env = dict(os.environ, SLURM_CONF=str(self.dir / "slurm.conf"), LC_ALL="C")
        self.env["PATH"] += ":/usr/sbin:/sbin"
        self.running = {}

    def start(self, name, *command):
        log = open(self.dir / f"{name}.out", "ab")
        self.running[name] = subprocess.Popen(
            command, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )

    def end(self, name, kill=False):
        process = self.running.pop(name)
        process.kill() if kill else process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def run(self, *command, check=True):
        """What a command prints."""
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=60)
        if check and done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        return done.stdout

    def until(self, seconds, what, test):
        end = time.time() + seconds
        while time.time() < end:
            try:
                if test():
                    return
            except (RuntimeError, subprocess.TimeoutExpired):
                pass
            time.sleep(0.2)
        raise RuntimeError(f"{what} did not happen within {seconds} s; see {self.dir}")

    def controller(self):
        self.start("slurmctld", "slurmctld", "-D")
        self.until(60, "an answer of slurmctld", lambda: "is UP" in self.run("scontrol", "ping"))

    def node(self, name):
        self.start(name, "slurmd", "-D", "-N", name)

    def __enter__(self):
        for folder in ("state", "spool", "dev"):
            (self.dir / folder).mkdir(parents=True, exist_ok=True)
        self.dir.chmod(0o755)
        cores = 8 if self.mixed else 32
        nodes = [
            f"NodeName={name} NodeHostname={socket.gethostname().split('.')[0]} NodeAddr=127.0.0.1 Port={self.port + 10 + i}"
            f" CPUs={cores} Boards=1 SocketsPerBoard=1 CoresPerSocket={cores} ThreadsPerCore=1 RealMemory=1000"
            f" Gres=gpu:{self.gpus(name)} Feature={self.gpus(name).split(':')[0]}"
            for i, name in enumerate(NODES)
        ]
        host = socket.gethostname().split(".")[0]
        conf = CONF.format(host=host, port=self.port, dir=self.dir, lost=self.lost, nodes="\n".join(nodes),
                           select=MIXED if self.mixed else "CR_Core")
        (self.dir / "slurm.conf").write_text(conf)
        for gpu in range(8):
            device = self.dir / "dev" / f"gpu{gpu}"
            if not device.exists():
                os.mknod(device, 0o020666, os.makedev(1, 3))  # a second /dev/null
        self.devices({name: int(self.gpus(name).split(":")[1]) for name in NODES})
        key = self.dir / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(1024))
        socket_file = self.dir / "munge.sock"
        try:
            self.start(
                "munged", "munged", "--foreground", "--force", "--key-file", str(key), "--socket", str(socket_file),
                "--pid-file", f"{self.dir}/munged.pid", "--log-file", f"{self.dir}/munged.log",
                "--seed-file", f"{self.dir}/munge.seed",
            )
            self.until(20, "munge", socket_file.exists)
            self.controller()
            for name in NODES:
                self.node(name)
            self.until(60, "the nodes", lambda: self.run("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == "8")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def gpus(self, name):
        """Type and number of a node's GPUs."""
        return TYPES.get(name, f"a100:{GPUS}") if self.mixed else f"a100:{GPUS}"

    def devices(self, numbers):
        """Writes which GPUs nodes find when their slurmd starts."""
        lines = [f"NodeName={name} Name=gpu Type={self.gpus(name).split(':')[0]} File={self.dir}/dev/gpu[0-{number - 1}]\n"
                 for name, number in numbers.items()]
        (self.dir / "gres.conf").write_text("".join(lines))

    def __exit__(self, *_):
        for name in list(self.running)[::-1]:
            self.end(name)

    def submit(self, job, *more, script=None):
        """Submits a job of a trace, a dictionary; returns its number. Up to four GPUs are on one node."""
        gpus = int(job["gpus"])
        words = ["sbatch", "--parsable", "-D", "/", "-o", "/dev/null", "--export=NONE", "-J", job["job"], "-A", job["group"]]
        words += [f"--ntasks={gpus}", "--gpus-per-task=1", "-t", str(job["limit_min"]), *more]
        if gpus <= GPUS:
            words.append("-N1")
        return self.run(*words, "--wrap", script or f"exec sleep {job['duration_s']}").strip()

    def history(self):
        """By job number, the instants of submission, starts and ends that the controller logged, seconds since 1970."""
        jobs = {}
        kinds = [
            ("submit", re.compile(r"submit_batch_job: JobId=(\d+)")),
            ("start", re.compile(r"(?:sched: Allocate|_start_job: Started) JobId=(\d+)")),
            ("end", re.compile(r"(?:_job_complete: JobId=(?=\d+ done)|Time limit exhausted for JobId=)(\d+)")),
        ]
        for line in open(self.dir / "ctld.log", errors="replace"):
            for kind, pattern in kinds:
                found = pattern.search(line)
                if found:
                    at = datetime.fromisoformat(line[1 : line.index("]")]).timestamp()
                    jobs.setdefault(found.group(1), {}).setdefault(kind, []).append(at)
        return jobs
