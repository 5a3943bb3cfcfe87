"""Registry: identifiers to stable tokens such as `@COURSE12345678`, by HMAC under one key.

A token depends on the key, the kind and the normalised value alone, so a new row changes no other.
"""

import hashlib
import hmac
import os
import re
import secrets
import stat
import unicodedata
from collections import Counter
from pathlib import Path

from canvas.io import BadInput

SAMPLE_KEY = Path(__file__).resolve().parents[1] / "data" / "sample" / "key.txt"
KINDS = (
    "COURSE", "SECTION", "ID", "PERSON", "EMAIL", "PHONE", "URL", "IP", "SSN", "IBAN", "CARD",
    "ADDRESS", "PLACE",
)  # fmt: skip
TOKEN = re.compile(rf"@(?:{'|'.join(KINDS)})\d{{8}}(?!\d)")
MAX_SHIFT_WEEKS = 52
_ALNUM = re.compile(r"[\W_]+")


def normal(text: str) -> str:
    """Text for comparison: NFKC, case folded, white space collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def normal_value(kind: str, value: str) -> str:
    """What of a value decides its token: letters and digits for ids, words for names and places."""
    if kind in ("PERSON", "PLACE", "ADDRESS"):
        return " ".join(_ALNUM.sub(" ", normal(value)).split())
    if kind in ("EMAIL", "URL"):
        return normal(value)
    if kind == "PHONE":
        return re.sub(r"\D", "", normal(value)).removeprefix("001").removeprefix("1")
    return _ALNUM.sub("", normal(value))


class Registry:
    """Tokens under one key; `counts` says how often each kind was asked for."""

    def __init__(self, key: bytes):
        self._mac = hmac.new(key, digestmod=hashlib.sha256)
        self._tokens: dict[tuple[str, str], str] = {}
        self.counts: Counter[str] = Counter()

    @classmethod
    def load(cls, path: Path) -> "Registry":
        """Registry under the key in a file. Raises BadInput where that holds no key."""
        return cls(read_key(path))

    @property
    def key_id(self) -> str:
        """16 hex digits that tell keys apart and nothing else."""
        return self._digest("key id", "").hex()[:16]

    @property
    def shift_weeks(self) -> int:
        """The key's secret date shift, -52 to 52 weeks, never 0."""
        drawn = int.from_bytes(self._digest("date shift", "")[:8], "big") % (2 * MAX_SHIFT_WEEKS)
        return drawn - MAX_SHIFT_WEEKS + (drawn >= MAX_SHIFT_WEEKS)

    def token(self, kind: str, value: str) -> str:
        """`@KIND` and eight digits. Raises ValueError on a kind that TOKEN would not know again."""
        if kind not in KINDS:
            raise ValueError(f"no such kind of token: {kind}")
        self.counts[kind] += 1
        known = (kind, value)
        if known not in self._tokens:
            digest = self._digest(kind, normal_value(kind, value))
            number = int.from_bytes(digest[:8], "big") % 10**8
            self._tokens[known] = f"@{kind}{number:08d}"
        return self._tokens[known]

    def _digest(self, kind: str, value: str) -> bytes:
        mac = self._mac.copy()
        mac.update(f"{kind}\x1f{value}".encode())
        return mac.digest()


def read_key(path: Path) -> bytes:
    """The key in a file: at least 16 characters of text."""
    path = Path(path)
    if not path.is_file():
        raise BadInput(path, "no such key file", remedy="create it, or give another path")
    key = path.read_text(encoding="utf-8").strip().encode()
    if len(key) < 16:
        raise BadInput(path, "a key has at least 16 characters", remedy="delete it for a new one")
    return key


def own_key(path: Path) -> bytes:
    """The contributor's key; made at random, readable by its owner only, where there is none.

    Raises BadInput on one that others can read, and on the sample's public key.
    """
    path = Path(path)
    if not path.exists():
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32) + "\n")
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise BadInput(path, "others can read this key", remedy=f"chmod 600 {path.name}")
    key = read_key(path)
    if SAMPLE_KEY.is_file() and hmac.compare_digest(key, read_key(SAMPLE_KEY)):
        raise BadInput(
            path, "the sample's public key hides nothing", remedy="delete it; a new one is made"
        )
    return key
