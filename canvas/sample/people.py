"""Invented people: common given names and surnames put together at random."""

import random
import unicodedata
from typing import NamedTuple


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


GIVEN = _words(
    """Priya Tomasz Aaliyah Mateo Ingrid Kwame Yuki Dmitri Leila Santiago Niamh Oluwaseun Beatriz
    Hiroshi Fatima Callum Svetlana Rohan Giulia Thandiwe Anders Mei-Ling José Zoë Siobhán Rashid
    Katarina Emeka Noor Pedro Hannah Jacob Emily Tyler Megan Brandon Ashley Kevin Rachel Nathan
    Olivia Ethan Samantha Gregory Danielle Patrick Monica Derek Heather Stephanie Lucas Amara
    Viktor Esra Linh Minh Arjun Deepika Carlos Ximena"""
)
SURNAMES = _words(
    """Raman Kowalczyk Okafor Delgado Lindqvist Mensah Tanaka Volkov Haddad Restrepo O'Donnell
    Adeyemi Cardoso Nakamura Al-Farsi MacLeod Petrova Mukherjee Bianchi Dlamini Sørensen Chaudhary
    Fernández Nguyen Whitlock Halvorsen Abernathy Castellano Donahue Ellsworth Fitzgerald Gallagher
    Hutchinson Iverson Jankowski Kavanagh Lombardi McAllister Novak Ostrowski Pemberton Quintero
    Rosenthal Szymanski Takahashi Underhill Vasquez Wojcik Yamamoto Zimmerman Brennan Calloway
    Dubois Eriksson Ferreira Goldstein Hernandez Ibrahim Johansson Kapoor Larsen Moreau Ndiaye
    Oyelaran Papadopoulos Rahman Schneider Thornton Ulrich Vandenberg Watanabe Xiong Yilmaz
    Zielinski"""
)
_ASCII = str.maketrans({"ø": "o", "'": "", "-": ""})


class Person(NamedTuple):
    """One invented person: e-mail in example.edu, login and student number made up."""

    given: str
    surname: str
    login: str
    email: str
    sis_id: str
    student_id: str

    @property
    def name(self) -> str:
        """Given name and surname."""
        return f"{self.given} {self.surname}"


def draw_person(rng: random.Random) -> Person:
    """One person; ids are drawn apart, so that they tell nothing of the name."""
    given, surname = rng.choice(GIVEN), rng.choice(SURNAMES)
    login = f"{_plain(given)[0]}{_plain(surname)}{rng.randint(2, 98)}"
    mailbox = rng.choice((login, f"{_plain(given)}.{_plain(surname)}"))
    return Person(
        given,
        surname,
        login,
        f"{mailbox}@{rng.choice(('example.edu', 'mail.example.edu'))}",
        f"N{rng.randrange(10**7, 10**8)}",
        f"90{rng.randrange(10**6, 10**7)}",
    )


def _plain(name: str) -> str:
    """Lower-case ASCII letters only, as a login has them."""
    letters = unicodedata.normalize("NFD", name.lower().translate(_ASCII))
    return "".join(letter for letter in letters if letter.isascii() and letter.isalpha())
