"""Values to fill templates with: people, places and numbers in the spellings that people use."""

import random
import string
from collections.abc import Callable
from functools import cache
from pathlib import Path

from canvas.io import read_yaml

_STATES = ("VA", "NC", "OH", "TX", "CA", "WA", "NY", "MD", "PA", "GA")
_STREETS = ("Street", "St", "St.", "Road", "Rd", "Avenue", "Ave", "Lane", "Drive", "Dr", "Court",
            "Blvd", "Circle", "Way", "Terrace")  # fmt: skip
_PREFIXES = ("Dr.", "Prof.", "Professor", "Mr.", "Ms.", "Mrs.", "Dr")
_PARTICLES = ("van", "de", "da", "bin", "el", "von der", "de la")
_ABROAD = {
    "DE": (("{street}stra\u00dfe {n}, {zip5} {town}", "{street}weg {n}a, {zip5} {town}"),
           ("Goethe", "Linden", "Bahnhof", "Rosen", "Schiller"),
           ("M\u00fcnchen", "K\u00f6ln", "Kassel")),
    "FR": (("{n} rue de {street}, {zip5} {town}", "{n}, avenue {street}, {zip5} {town}",
            "{n} bis boulevard {street}, {zip5} {town}"),
           ("Rivoli", "Victor Hugo", "Lafayette", "Montparnasse"), ("Paris", "Lyon", "Nantes")),
    "GB": (("{n} {street} Road, {town} {post}", "Flat {n}, {street} House, {town} {post}"),
           ("Kingsley", "Abbey", "Harrow", "Victoria"), ("Leeds", "London", "Oxford")),
    "ES": (("Calle de {street} {n}, {zip5} {town}", "Avenida {street}, {n}"),
           ("Alcal\u00e1", "Cervantes", "Goya"), ("Madrid", "Sevilla", "Valencia")),
    "IN": (("{n}/{n} {street} Road, {town} {zip5}1", "Flat {n}, {street} Nagar, {town} - {zip5}1"),
           ("Gandhi", "Nehru", "Lajpat", "Anna"), ("Chennai", "Pune", "New Delhi")),
    "NL": (("{street}straat {n}, {zip4} AB {town}", "{street}laan {n}, {zip4} KL {town}"),
           ("Kerk", "Wilhelmina", "Beatrix"), ("Utrecht", "Delft", "Leiden")),
    "IT": (("Via {street} {n}, {zip5} {town}", "Piazza {street} {n}, {town}"),
           ("Garibaldi", "Roma", "Dante"), ("Torino", "Roma", "Bologna")),
    "CA": (("{n} {street} Street, {town}, ON K1A 0B1", "{n} {street} Avenue, {town}, BC V6T 1Z4"),
           ("Wellington", "Bloor", "Granville"), ("Ottawa", "Vancouver", "Toronto")),
    "AU": (("{n} {street} Street, {town} NSW {zip4}",
            "Unit {n}, {n} {street} Parade, {town} VIC {zip4}"),
           ("Pitt", "Collins", "Swanston"), ("Sydney", "Carlton", "Newtown")),
}  # fmt: skip
_IBAN_LENGTHS = {"DE": 22, "FR": 27, "GB": 22, "ES": 24, "NL": 18, "IT": 27, "CH": 21, "BE": 16}
_CARDS = (("4", 16), ("51", 16), ("37", 15), ("6011", 16), ("2221", 16), ("30", 14))


@cache
def pools() -> dict[str, list[str]]:
    """The values of values.yaml by their name."""
    raw = read_yaml(Path(__file__).with_suffix(".yaml"))
    return {name: block.strip().splitlines() for name, block in raw.items()}


class Values:
    """Draws values at random; `names` replaces the pools, as the tuning does with Faker's."""

    def __init__(self, seed: int, names: dict[str, Callable[[], str]] | None = None):
        self.random = random.Random(seed)
        self.names = names or {}

    def draw(self, slot: str) -> tuple[str, str]:
        """(kind, text) of a slot such as `person` or `phone`. KeyError on one that is not there."""
        kind, make = SLOTS[slot]
        return kind, make(self)

    def pool(self, name: str) -> str:
        """One value of a pool."""
        make = self.names.get(name)
        return make() if make else self.random.choice(pools()[name])

    def choose(self, *values: str) -> str:
        """One of the values."""
        return self.random.choice(values)

    def digits(self, pattern: str) -> str:
        """The pattern with `#` as any digit and `+` as one that is not 0 or 1."""
        draw = {"#": string.digits, "%": "23456789"}
        return "".join(self.random.choice(draw[c]) if c in draw else c for c in pattern)


def _person(v: Values) -> str:
    given, family = v.pool("given"), v.pool("family")
    draw = v.random.random()
    if draw < 0.06:
        return f"{given} {v.choose(*string.ascii_uppercase)}. {family}"
    if draw < 0.10:
        return f"{given[0]}. {family}"
    if draw < 0.14:
        return f"{given} {v.choose(*_PARTICLES)} {family}"
    if draw < 0.17:
        return f"{given} {v.pool('given')} {family}"
    return f"{given} {family}"


def _plain_person(v: Values) -> str:
    draw = v.random.random()
    if draw < 0.4:
        return f"{v.pool('given')} {v.pool('common_family')}"
    if draw < 0.8:
        return f"{v.pool('common_given')} {v.pool('family')}"
    return f"{v.pool('common_given')} {v.pool('common_family')}"


def _initials(v: Values) -> str:
    a, b = (v.choose(*string.ascii_uppercase) for _ in "ab")
    return v.choose(f"{a}. {b}. ", f"{a}.{b}. ", f"{a}. ", f"{a} ") + v.pool("family")


def _address(v: Values) -> str:
    if v.random.random() < 0.55:
        number, street = v.digits("%##")[: v.random.randint(1, 3)], v.pool("street")
        unit = v.choose("", "", ", Apt 4B", " Apt. 12", " #203", ", Suite 110", ", Unit 7")
        town = f"{v.pool('city')}, {v.choose(*_STATES)} {v.digits('%####')}"
        place = v.choose("", f", {town}", f", {town}", f", {v.pool('city')}")
        side = v.choose("", "", "N ", "East ", "S. ")
        return f"{number} {side}{street} {v.choose(*_STREETS)}{unit}{place}"
    if v.random.random() < 0.12:
        place = f"{v.pool('city')}, {v.choose(*_STATES)} {v.digits('%####')}"
        return f"P.O. Box {v.digits('%###')}, {place}"
    shapes, streets, towns = _ABROAD[v.choose(*_ABROAD)]
    post = v.choose("LS6 2AB", "SW1A 1AA", "OX1 3QD", "EH8 9YL", "M13 9PL")
    return v.choose(*shapes).format(
        street=v.choose(*streets), town=v.choose(*towns), n=v.random.randint(2, 240), post=post,
        zip5=v.digits("%####"), zip4=v.digits("%###"),
    )  # fmt: skip


_PHONES = (
    "(%##) %##-####", "%##-%##-####", "%##.%##.####", "%## %## ####", "+1 %##-%##-####",
    "+1 (%##) %##-####", "1-%##-%##-####", "%##%##%###", "(%##)%##-####", "%##/%##-####",
    "%##-%##-#### ext. %##", "(%##) %##-#### x%###", "%##-%##-####, ext %#", "+1%##%##%###",
    "+44 20 %### ####", "020 %### ####", "+44 (0)20 %### ####", "07%## ######", "+49 30 %######",
    "030/%#######", "+49 (0)89 %##-%###", "+33 1 %# ## ## ##", "06 %# ## ## ##", "+91 9%### #####",
    "+91-9%########", "+61 2 %### ####", "(02) %### ####", "+34 6%# ### ###", "+55 11 9%###-####",
    "+86 138 %### ####", "+81 3-%###-####", "+82 10-%###-####", "+234 80% ### ####",
    "+52 55 %### ####", "0049 30 %######", "011 44 20 %### ####", "+39 06 %### ####",
    "+31 6 %### ####", "+353 1 %## ####", "+972-5%-%##-####", "%##-####",
)  # fmt: skip


def _phone(v: Values) -> str:
    return v.digits(v.choose(*_PHONES))


def _email(v: Values) -> str:
    given, family = _login_part(v.pool("given")), _login_part(v.pool("family"))
    local = v.choose(
        f"{given}.{family}",
        f"{given[0]}{family}",
        f"{given}_{family}{v.digits('##')}",
        f"{family}{v.digits('#')}",
        f"{given}+canvas",
        f"{given[0]}.{family}-{v.digits('%')}",
    )
    mail = f"{local}@{v.pool('domain')}"
    return v.choose(mail, mail, mail, mail.title(), mail.upper())


def _login_part(name: str) -> str:
    plain = name.encode("ascii", "ignore").decode().lower()
    return "".join(c for c in plain if c.isalpha()) or "lee"


def _url(v: Values) -> str:
    host, digits = v.pool("domain"), v.digits("%####")
    return v.choose(
        f"https://canvas.{host}/courses/{digits}/assignments/{v.digits('%#####')}",
        f"http://www.{host}/~{_login_part(v.pool('family'))}/index.html",
        f"https://zoom.us/j/{v.digits('%##########')}?pwd=Ab3dEfG", f"www.{host}/people/{digits}",
        f"https://docs.google.com/document/d/1aB{digits}xYz/edit#heading=h.1",
        f"https://github.com/{_login_part(v.pool('family'))}{v.digits('%#')}/hw1",
        f"https://{host}:8443/login?user={digits}", f"bit.ly/3x{digits}Q",
        f"ftp://files.{host}/pub/notes.zip", f"https://m.youtube.com/watch?v=dQw4w9Wg{v.digits('##')}",
    )  # fmt: skip


def _ip(v: Values) -> str:
    octets = [str(v.random.randint(2, 254)) for _ in range(4)]
    groups = [f"{v.random.randint(1, 65535):x}" for _ in range(8)]
    short = f"2001:db8:{groups[0]}::{groups[1]}"
    return v.choose(
        ".".join(octets),
        ".".join(octets),
        ":".join(groups),
        short,
        f"fe80::{groups[2]}:{groups[3]}",
    )


def _ssn(v: Values) -> str:
    return v.digits(f"{v.random.randint(101, 665)}{v.choose('-#%-', ' #% ', '-%#-')}%###"
                    if v.random.random() < 0.9 else "%##\u201123\u2011%###")  # fmt: skip


def iban(country: str, account: str) -> str:
    """An IBAN with the check digits of ISO 13616."""
    number = "".join(str(int(c, 36)) for c in account + country + "00")
    return f"{country}{98 - int(number) % 97:02d}{account}"


def _iban(v: Values) -> str:
    country = v.choose(*_IBAN_LENGTHS)
    head = {"GB": "NWBK", "NL": "ABNA"}.get(country, "")
    plain = iban(country, head + v.digits("#" * (_IBAN_LENGTHS[country] - 4 - len(head))))
    groups = [plain[i : i + 4] for i in range(0, len(plain), 4)]
    return v.choose(plain, " ".join(groups), " ".join(groups), "-".join(groups), plain.lower())


def _card(v: Values) -> str:
    start, length = v.choose(*_CARDS)
    body = start + v.digits("#" * (length - len(start) - 1))
    total = sum(sum(divmod(int(d) * 2, 10)) for d in body[::-1][::2])
    total += sum(int(d) for d in body[::-1][1::2])
    plain = body + str(-total % 10)
    groups = [plain[i : i + 4] for i in range(0, len(plain), 4)]
    if length == 15:
        groups = [plain[:4], plain[4:10], plain[10:]]
    return v.choose(plain, " ".join(groups), "-".join(groups))


def _course(v: Values) -> str:
    department, number = (
        v.choose("CS", "MATH", "CHEM", "ENGL", "BIOL", "ECE", "STAT"),
        v.digits("%###"),
    )
    gap = v.choose(" ", " ", "-", "", "_", "\u00a0", "\u2011")
    return v.choose(department, department, department.lower(), department.title()) + gap + number


SLOTS: dict[str, tuple[str, Callable[[Values], str]]] = {
    "person": ("PERSON", _person),
    "plain_person": ("PERSON", _plain_person),
    "given": ("PERSON", lambda v: v.pool("given")),
    "family": ("PERSON", lambda v: v.pool("family")),
    "common_given": ("PERSON", lambda v: v.pool("common_given")),
    "common_family": ("PERSON", lambda v: v.pool("common_family")),
    "last_first": ("PERSON", lambda v: f"{v.pool('family')}, {v.pool('given')}"),
    "titled": ("PERSON", lambda v: f"{v.pool('family')}"),
    "initials": ("PERSON", _initials),
    "caps": ("PERSON", lambda v: f"{v.pool('given')} {v.pool('family')}".upper()),
    "caps_family": ("PERSON", lambda v: v.pool("family").upper()),
    "lower": ("PERSON", lambda v: f"{v.pool('given')} {v.pool('family')}".lower()),
    "lower_given": ("PERSON", lambda v: v.pool("given").lower()),
    "city": ("LOCATION", lambda v: v.pool("city")),
    "region": ("LOCATION", lambda v: v.pool("region")),
    "building": ("LOCATION", lambda v: v.pool("building")),
    "campus": ("LOCATION", lambda v: v.pool("campus")),
    "town_state": ("LOCATION", lambda v: f"{v.pool('city')}, {v.choose(*_STATES)}"),
    "address": ("ADDRESS", _address),
    "email": ("EMAIL", _email),
    "phone": ("PHONE", _phone),
    "url": ("URL", _url),
    "ip": ("IP", _ip),
    "ssn": ("SSN", _ssn),
    "iban": ("IBAN", _iban),
    "card": ("CARD", _card),
    "course": ("COURSE", _course),
    "crn": ("SECTION", lambda v: v.digits("%####")),
    "student": ("ID", lambda v: v.digits(v.choose("90%######", "N%#######", "%########"))),
    "honorific": ("", lambda v: v.choose(*_PREFIXES)),
}
