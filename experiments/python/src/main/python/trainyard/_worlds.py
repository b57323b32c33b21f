"""Registered environments: an id with a version for every world that ships."""

from __future__ import annotations

from typing import Dict

from . import _launcher

VERSION = "v1"
"""Grows when an environment of the same id would give other episodes, observations or rewards."""


def ids() -> Dict[str, str]:
    """The config of every registered id: ``auction/two-generations`` is ``Trainyard/TwoGenerations-v1``."""
    home = _launcher.home()
    if home is None:
        return {}
    configs = home / "experiments" / "configs"
    names = (f"auction/{file.stem}" for file in sorted((configs / "auction").glob("*.yaml")))
    return {_id(name): name for name in names}


def _id(config: str) -> str:
    words = config.split("/")[-1].split("-")
    return f"Trainyard/{''.join(word[:1].upper() + word[1:] for word in words)}-{VERSION}"


def register() -> None:
    """Registers all ids with Gymnasium; once is enough."""
    from gymnasium.envs.registration import register as enter
    from gymnasium.envs.registration import registry

    for name, config in ids().items():
        if name not in registry:
            enter(
                name,
                entry_point="trainyard.gymnasium_envs:AuctionEnv",
                vector_entry_point="trainyard.vector_envs:make_vector",
                kwargs={"config": config},
            )
