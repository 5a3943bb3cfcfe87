"""Numbers with and without check digits, ids, sections, logins."""

import pytest

from canvas.anonymize import numbers


def found(text: str) -> set[tuple[str, str]]:
    return {(span.kind, text[span.start : span.end]) for span in numbers.find(text)}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("SSN 987-65-4320", "SSN", "987-65-4320"),
        ("987 65 4321", "SSN", "987 65 4321"),
        ("to DE89 3704 0044 0532 0130 00, please", "IBAN", "DE89 3704 0044 0532 0130 00"),
        ("to DE89 3704 0044 0532 0130 00 and then", "IBAN", "DE89 3704 0044 0532 0130 00"),
        ("FR1420041010050500013M02606", "IBAN", "FR1420041010050500013M02606"),
        ("4242-4242-4242-4242", "CARD", "4242-4242-4242-4242"),
        ("378282246310005", "CARD", "378282246310005"),
        ("Records of N31894978", "ID", "N31894978"),
        ("student 901107501", "ID", "901107501"),
        ("id 1893", "ID", "1893"),
        ("Intro (80317)", "SECTION", "80317"),
        ("CRN 21936", "SECTION", "21936"),
        ("CS_3704_21936_202601", "SECTION", "21936"),
        ("section 07", "SECTION", "07"),
        ("Sec. 003", "SECTION", "003"),
        ("Sect 7", "SECTION", "7"),
        ("123e4567-e89b-12d3-a456-426614174000", "ID", "123e4567-e89b-12d3-a456-426614174000"),
        ("kept by (aibrahim22)", "PERSON", "aibrahim22"),
        ("login dlee2", "PERSON", "dlee2"),
        ("discord: quiet_heron", "PERSON", "quiet_heron"),
        ("ask @jsmith42 there", "PERSON", "@jsmith42"),
    ],
)
def test_is_found(text, kind, value):
    assert (kind, value) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "DE88 3704 0044 0532 0130 00", "4242-4242-4242-4243", "202601", "20260131", "10000 words",
        "EXAM 2023", "Section 2.1", "sha256 and utf8", "labwork3", "homework2", "python3", "$12345",
        "12.34567", "@COURSE7", "@COURSE12345678", "@Override", "1234", "Unit 1000", "mp3",
        "12345 %",
    ],
)  # fmt: skip
def test_is_left_alone(text):
    kinds = {kind for kind, _ in found(text)}
    assert not kinds & {"IBAN", "CARD", "SECTION", "PERSON"}
    if text[:2] not in ("DE", "42"):
        assert not kinds


def test_luhn():
    assert numbers.luhn("4111 1111 1111 1111")
    assert not numbers.luhn("4111 1111 1111 1112")
    assert not numbers.luhn("0000 0000 0000 0000")
