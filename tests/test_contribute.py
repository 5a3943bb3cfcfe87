"""Contributing a whole synthetic export: every planted value goes, every false friend stays."""

import re

import pytest

from canvas import io
from canvas.contribute import contribute
from canvas.sample.contributions import generate


@pytest.mark.parametrize("seed", [101, 102])
def test_planted_values_are_gone_and_false_friends_stay(tmp_path, seed):
    sample = generate(seed, contributors=3, courses=9, assignments=20)
    for handle, rows in sample.files.items():
        io.write_rows(tmp_path / "raw" / f"{handle}.jsonl", rows)
    files = sorted((tmp_path / "raw").glob("*.jsonl"))
    done = contribute(files, tmp_path / "out", b"the key of one contributor")
    assert len(done.written) == 3
    assert sum(done.written.values()) == sum(len(rows) for rows in sample.files.values())
    text = "\n".join(path.read_text(encoding="utf-8") for path in done.written).casefold()
    words = set(re.findall(r"\w+", text))
    for planted in sample.planted:
        value = planted["value"].casefold()
        if words.issuperset(re.findall(r"\w+", value)):
            found = re.search(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", text)
            assert found is None, planted
    assert [title for title in sample.kept if title.casefold() not in text] == []
