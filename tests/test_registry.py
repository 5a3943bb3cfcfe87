"""Tokens depend on key and value alone; the contributor's key is private."""

import re

import pytest

from canvas import registry
from canvas.io import BadInput
from canvas.registry import TOKEN, Registry

KEY = b"a key for tests only"


def test_token_depends_on_key_kind_and_normalised_value_alone():
    one, two = Registry(KEY), Registry(KEY)
    two.token("PERSON", "somebody else")
    assert one.token("PERSON", "Ana  Lima") == two.token("PERSON", "ana lima")
    assert one.token("PERSON", "Ana Lima") != one.token("COURSE", "Ana Lima")
    assert one.token("PERSON", "Ana Lima") != Registry(KEY + b".").token("PERSON", "Ana Lima")
    assert TOKEN.fullmatch(one.token("COURSE", "CS 3704"))


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("COURSE", "CS 3704", "cs-3704"),
        ("COURSE", "CS\u00a03704", "\uff23\uff333704"),
        ("PHONE", "+1 (540) 555-0134", "540.555.0134"),
        ("IBAN", "DE89 3704 0044 0532 0130 00", "de89370400440532013000"),
        ("PERSON", "O'Donnell, Aaliyah", "o\u2019donnell aaliyah"),
        ("EMAIL", "A.B@Example.edu", "a.b@example.edu"),
    ],
)
def test_spellings_share_a_token(kind, first, second):
    tokens = Registry(KEY)
    assert tokens.token(kind, first) == tokens.token(kind, second)


def test_kinds_are_a_closed_list():
    with pytest.raises(ValueError, match="no such kind"):
        Registry(KEY).token("PET", "Rex")


def test_shift_is_whole_weeks_and_never_none():
    shifts = {Registry(bytes([n]) * 16).shift_weeks for n in range(256)}
    assert 0 not in shifts
    assert min(shifts) >= -52
    assert max(shifts) <= 52
    assert len(shifts) > 60


def test_own_key_is_made_once_and_private(tmp_path):
    path = tmp_path / ".canvas-key"
    key = registry.own_key(path)
    assert re.fullmatch(rb"[0-9a-f]{64}", key)
    assert path.stat().st_mode & 0o777 == 0o600
    assert registry.own_key(path) == key


def test_key_that_others_can_read_is_refused(tmp_path):
    path = tmp_path / ".canvas-key"
    registry.own_key(path)
    path.chmod(0o644)
    with pytest.raises(BadInput, match="others can read"):
        registry.own_key(path)


def test_sample_key_and_short_keys_are_refused(tmp_path):
    path = tmp_path / ".canvas-key"
    path.write_bytes(registry.SAMPLE_KEY.read_bytes())
    path.chmod(0o600)
    with pytest.raises(BadInput, match="sample's public key"):
        registry.own_key(path)
    path.write_text("short")
    with pytest.raises(BadInput, match="at least 16"):
        registry.own_key(path)
    with pytest.raises(BadInput, match="no such key file"):
        Registry.load(tmp_path / "missing")
