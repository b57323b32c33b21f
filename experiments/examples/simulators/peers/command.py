"""Commands with their processor time, and what is said of those that cannot run."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))
TRAINYARD = os.path.join(ROOT, "trainyard")


def fail(message):
    """Ends with one line and exit code 2, for what the user can mend."""
    print("compare.py: " + message, file=sys.stderr)
    sys.exit(2)


def present(option, path):
    """The absolute path of a file or folder that must be there."""
    if not os.path.exists(path):
        fail("%s (%s): no such file or folder" % (option, path))
    return os.path.abspath(path)


def program(option, name, hint=""):
    """The absolute path of a program, which may be found on the PATH. A link is kept: Python finds its modules by it."""
    found = shutil.which(name)
    if found is None:
        fail("%s (%s): no such program%s" % (option, name, hint))
    return os.path.abspath(found)


def require_modules(python, *modules):
    """Fails when a Python lacks modules that a simulator imports."""
    code = "import importlib.util, sys\nprint(*[name for name in sys.argv[1:] if importlib.util.find_spec(name) is None])"
    missing = subprocess.run([python, "-c", code, *modules], capture_output=True, text=True, check=False)
    if missing.returncode:
        fail("--python (%s): is no Python (exit code %d)" % (python, missing.returncode))
    if missing.stdout.strip():
        fail("--python (%s): has no module %s" % (python, ", ".join(missing.stdout.split())))


def run(command, folder=None):
    """What a command prints, and its processor seconds."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=told, env={**os.environ, "TZ": "UTC"})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
        told.seek(0)
        errors = told.read().decode(errors="replace")
    if process.returncode:
        sys.exit("%s: exit code %d\n%s" % (command[0], process.returncode, (text + errors)[-2000:]))
    return text, usage.ru_utime + usage.ru_stime


def least(commands, runs, folder=None, longest=60):
    """What the last run printed, and the least processor seconds of commands that answer the same; a long run is not repeated."""
    seconds = []
    for number in range(runs):
        if seconds and min(seconds) > longest:
            break
        for command in commands:
            text, taken = run(command, folder)
            seconds.append(taken)
    return text, min(seconds)
