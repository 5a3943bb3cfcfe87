"""Word lists of the recognisers, from wordlists.yaml."""

from functools import cache
from pathlib import Path

from canvas.io import read_yaml


@cache
def _lists() -> dict[str, str]:
    return read_yaml(Path(__file__).with_suffix(".yaml"))


@cache
def words(name: str) -> frozenset[str]:
    """The words of one list. Raises KeyError on a list that is not there."""
    return frozenset(_lists()[name].split())
