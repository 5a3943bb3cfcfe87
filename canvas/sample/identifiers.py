"""Invented identifiers, only from ranges reserved for examples, tests and fiction."""

import random

# 555-0100 to 555-0199 (North America), and the drama ranges of Ofcom, ARCEP and Bundesnetzagentur.
_PHONES = (
    "({area}) 555-01{n:02d}",
    "{area}-555-01{n:02d}",
    "{area}.555.01{n:02d}",
    "{area} 555 01{n:02d}",
    "+1 {area} 555 01{n:02d}",
    "+1-{area}-555-01{n:02d}",
    "1 ({area}) 555-01{n:02d}",
    "{area}55501{n:02d}",
    "555-01{n:02d}",
    "+44 20 7946 0{n:03d}",
    "+33 1 99 00 {n:02d} 47",
    "+49 30 23125 {n:03d}",
)
_AREAS = ("202", "312", "415", "540", "617", "703", "919")
_STREETS = ("Maple Hollow", "Old Quarry", "Larkspur", "Tannery", "Cobbler", "Sycamore Bend")
_ROADS = ("Street", "St", "Avenue", "Ave.", "Road", "Rd.", "Drive", "Lane", "Court", "Boulevard")
_TOWNS = ("Elmsworth", "Port Harlan", "Brackenridge Falls", "Quillhaven")
# Published example values; all pass their check digits.
_IBANS = (
    "GB29 NWBK 6016 1331 9268 19",
    "DE89 3704 0044 0532 0130 00",
    "FR14 2004 1010 0505 0001 3M02 606",
    "NL91 ABNA 0417 1643 00",
    "ES91 2100 0418 4502 0005 1332",
    "BE68 5390 0754 7034",
)
_CARDS = (
    "4111 1111 1111 1111",
    "4242-4242-4242-4242",
    "5555555555554444",
    "5105 1051 0510 5100",
    "378282246310005",
    "6011 1111 1111 1117",
    "3530111333300000",
)
COURSE_SPELLINGS = (
    "{dept} {number}",
    "{dept}{number}",
    "{dept}-{number}",
    "{dept}_{number}",
    "{cap} {number}",
    "{low}{number}",
    "{low} {number}",
    "{low}-{number}",
    "{year}_{dept} {number}",
    "{season} {year}_{dept} {number}",
    "{dept}{number}_{crn}",
    "{dept}_{number}_{crn}_{term}",
)
_SEASONS = {"01": "SPRING", "09": "FALL"}


def phone(rng: random.Random) -> str:
    """A telephone number of fiction, in one of twelve spellings."""
    return rng.choice(_PHONES).format(area=rng.choice(_AREAS), n=rng.randrange(100))


def address(rng: random.Random) -> str:
    """A street address in a town that does not exist, or a post office box."""
    if rng.random() < 0.15:
        return f"P.O. Box {rng.randint(1000, 9999)}, {_town(rng)}"
    street = f"{rng.randint(12, 4200)} {rng.choice(_STREETS)} {rng.choice(_ROADS)}"
    return rng.choice(
        (
            f"{street}, {_town(rng)}",
            f"{street}, Apt {rng.randint(2, 40)}",
            street,
        )
    )


def _town(rng: random.Random) -> str:
    return f"{rng.choice(_TOWNS)}, VA 24{rng.randrange(1000):03d}"


def ssn(rng: random.Random) -> str:
    """A US social security number from the block kept for advertisements, 987-65-4320 to 4329."""
    return rng.choice(("987-65-432{}", "987 65 432{}")).format(rng.randrange(10))


def iban(rng: random.Random) -> str:
    """A published example IBAN, with or without spaces."""
    value = rng.choice(_IBANS)
    return value if rng.random() < 0.6 else value.replace(" ", "")


def card(rng: random.Random) -> str:
    """A test number of a card network."""
    return rng.choice(_CARDS)


def ip(rng: random.Random) -> str:
    """An address of the documentation blocks (RFC 5737, RFC 3849)."""
    block = rng.choice(("192.0.2", "198.51.100", "203.0.113"))
    if rng.random() < 0.25:
        return f"2001:db8:{rng.randrange(4096, 65536):x}::{rng.randrange(16, 4096):x}"
    return f"{block}.{rng.randrange(1, 255)}"


def url(rng: random.Random, course_id: str, login: str) -> str:
    """An address that carries a course id, a meeting id or a login."""
    course = f"https://canvas.example.edu/courses/{course_id}"
    number = rng.randrange(10**6, 10**7)
    return rng.choice(
        (
            f"{course}/assignments/{number}",
            f"{course}/files/{number}/download?wrap=1",
            f"https://meet.example.com/j/98{number}?pwd={rng.randrange(16**8):08x}",
            f"https://people.example.edu/~{login}/notes.html",
            f"www.example.org/booking/{login}",
        )
    )


def canvas_id(rng: random.Random) -> str:
    """A Canvas id of five to eight digits."""
    digits = rng.randint(5, 8)
    return str(rng.randrange(10 ** (digits - 1), 10**digits))


def section(rng: random.Random, number: int) -> str:
    """One spelling of a section number, with the word that marks it."""
    return rng.choice(("Section {:03d}", "Sec. {:03d}", "section {:02d}", "Sect {}")).format(number)


def course_code(rng: random.Random, dept: str, number: str, crn: str, term: str) -> str:
    """One of the spellings a course code turns up in; `term` is a Banner term such as 202601."""
    spelling = rng.choice(COURSE_SPELLINGS)
    return spelling.format(
        dept=dept, low=dept.lower(), cap=dept.capitalize(), number=number, crn=crn, term=term,
        year=term[:4], season=_SEASONS[term[4:]],
    )  # fmt: skip
