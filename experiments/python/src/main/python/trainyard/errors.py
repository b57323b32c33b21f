"""Everything that this package raises by itself."""

from __future__ import annotations


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
