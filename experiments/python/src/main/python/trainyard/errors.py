"""Everything that this package raises by itself, and words that several errors share."""

from __future__ import annotations

import difflib
from typing import Any, Sequence


class TrainyardError(Exception):
    """Any failure of this package."""


class InputError(TrainyardError, ValueError):
    """Something that was given cannot be used; the message is the server's or the command line's."""


class MissingPackage(TrainyardError, ImportError):
    """A function needs a package that is not installed."""


class ServerDied(TrainyardError, ConnectionError):
    """The Java process has ended, or the connection to it."""


class TimeLimitExceeded(TrainyardError, TimeoutError):
    """A call took longer than the time limit; the environment is closed."""


class ProtocolError(TrainyardError):
    """The other side does not speak this version of the protocol."""


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """The known word that is nearest, as a question, or nothing where none is near."""
    close = difflib.get_close_matches(word, known, 1)
    return f" (did you mean '{close[0]}'?)" if close else ""


def refuse_text(place: str, given: Any) -> None:
    """Refuses a string in the place of several."""
    if isinstance(given, str):
        raise InputError(f"{place}: '{given}' is not valid: expected a list of strings, such as ['{given}']")
