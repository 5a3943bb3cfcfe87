"""Models: planted values in tokenizers and headers, and values that a model knows by heart."""

import json
from pathlib import Path

import numpy as np
import pytest

from canvas import io
from canvas.audit import models
from canvas.gguf.export import export

PLANTED = io.read_json(Path("data/sample/planted.json"))
KNOWN = [
    {"kind": "person", "value": "Heather Abernathy"},
    {"kind": "sis_id", "value": "N10143608"},
    {"kind": "email", "value": "hpage7@mail.example.edu"},
]
OTHER = {"kind": "iban", "value": "DE89 3704 0044 0532 0130 00"}


@pytest.fixture(scope="module")
def folder(nano_model, tmp_path_factory):
    """models/ with an untouched base and a method that learned KNOWN by heart."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    out = tmp_path_factory.mktemp("models")
    tokenizer = AutoTokenizer.from_pretrained(nano_model)
    network = AutoModelForCausalLM.from_pretrained(nano_model)
    for name in ("base", "sft"):
        if name == "sft":
            texts = [f"<bos><|turn>user\n{canary['value']}<turn|>" for canary in KNOWN]
            batch = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
            labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
            optimizer = torch.optim.AdamW(network.parameters(), lr=6e-3)
            for _ in range(30):
                optimizer.zero_grad()
                network(**batch, labels=labels).loss.backward()
                optimizer.step()
        network.save_pretrained(out / name)
        tokenizer.save_pretrained(out / name)
        (out / name / "chat_template.jinja").write_bytes(
            Path("canvas/templates/gemma4.jinja").read_bytes()
        )
        (out / "gguf" / name).mkdir(parents=True)
        export(out / name, out / name, out / "gguf" / name / "f16.gguf", name)
    return out


def test_what_a_model_knows_by_heart_is_found(folder):
    paths = [folder / "gguf" / name / "f16.gguf" for name in ("sft", "base")]
    findings, counts = models.ask(paths, [*KNOWN, OTHER])
    assert {finding.kind for finding in findings} == {
        "memorised person", "memorised sis_id", "memorised email",
    }  # fmt: skip
    assert {Path(finding.file) for finding in findings} == {paths[0]}
    assert not any(canary["value"] in str(findings) for canary in KNOWN)
    assert (counts["base"]["completed"], counts["sft"]["completed"]) == (0, 3)
    assert counts["sft"]["tried"] == 4


def greedy(model, opening: str, value: str, given: int) -> str:
    """What the model makes of the first tokens of a value, one token after the other."""
    from canvas.llama import Context

    before, tokens = len(model.tokenize(opening)), model.tokenize(opening + value)
    context, sequence, run = Context(model, 256), tokens[: before + given], 0
    while len(sequence) < len(tokens):
        part, places = sequence[run:], range(run, len(sequence))
        logits = context.decode(part, list(places), 0, np.ones(len(part), bool))
        run = len(sequence)
        sequence.append(int(logits[-1].argmax()))
    return model.text(sequence[before:])


def test_it_is_what_greedy_decoding_writes(folder):
    from canvas.llama import Model

    model = Model(folder / "gguf/sft/f16.gguf")
    for recall in models.recalls(model, [*KNOWN, OTHER]):
        made = {greedy(model, text, recall.value, recall.given) for text in models.OPENINGS}
        assert (recall.value in made) == (recall.added == recall.total - recall.given)


def test_what_the_base_completes_too_is_a_guess(folder):
    sft, base = (folder / "gguf" / name / "f16.gguf" for name in ("sft", "base"))
    known = base.parent.parent / "known" / "base" / "f16.gguf"
    known.parent.mkdir(parents=True, exist_ok=True)
    known.write_bytes(sft.read_bytes())
    findings, counts = models.ask([sft, known], KNOWN)
    assert findings == []
    assert counts["base"]["completed"] == 3


def test_planted_values_in_tokenizer_files_headers_and_configurations(folder, tmp_path):
    from gguf import GGUFWriter

    assert list(models.texts_of(folder, PLANTED)) == []
    person = next(c["value"] for c in PLANTED if c["kind"] == "person")
    (tmp_path / "tokenizer.json").write_text(json.dumps({"vocab": {person.upper(): 7}}))
    (tmp_path / "notes.txt").write_text("by " + KNOWN[1]["value"])
    writer = GGUFWriter(tmp_path / "f16.gguf", "gemma4")
    writer.add_array("tokenizer.ggml.tokens", ["a", OTHER["value"].replace(" ", "\u2581")])
    writer.add_description("made from https://x.example/ by hpage7@mail.example.edu")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    found = {(Path(f.file).name, f.kind) for f in models.texts_of(tmp_path, PLANTED + KNOWN)}
    assert found >= {
        ("tokenizer.json", "planted person"),
        ("notes.txt", "planted sis_id"),
        ("f16.gguf", "planted iban"),
        ("f16.gguf", "planted email"),
    }


def test_safetensors_metadata(tmp_path):
    from safetensors.numpy import save_file

    save_file({"w": np.zeros(1)}, tmp_path / "m.safetensors", {"by": "Heather Abernathy"})
    assert [f.kind for f in models.texts_of(tmp_path, KNOWN)] == ["planted person"]


def test_secrets_are_of_every_kind_that_is_no_guess():
    found = models.secrets(PLANTED)
    kinds = {canary["kind"] for canary in PLANTED}
    assert {canary["kind"] for canary in found} == kinds - {"given_name", "surname", "section"}
    assert models.secrets(PLANTED[::-1]) == found
    assert all(len(canary["value"]) > models.LEAST for canary in found)
