"""Quantised files: smaller, further from the original the fewer bits, and never half-written."""

import numpy as np
import pytest

from canvas import template
from canvas.gguf.divergence import mean_kl, sample
from canvas.gguf.export import export
from canvas.gguf.header import tensor_types
from canvas.gguf.quantize import TYPES, fallbacks, quantize
from canvas.llama import LlamaError, Model
from tests.checkpoints import SHAPES, build

ROWS = [
    {"messages": [{"role": "user", "content": f"Plan {n} hours for @COURSE{n}."}], "tools": []}
    for n in range(60)
]


@pytest.fixture(scope="module")
def files(nano_model, tmp_path_factory):
    """Paths by type, the original as f16."""
    folder = tmp_path_factory.mktemp("gguf")
    paths = {kind: folder / f"{kind}.gguf" for kind in ("f16", *TYPES)}
    build(folder / "hf", nano_model, SHAPES["nano"], "float32")
    export(folder / "hf", folder / "hf", paths["f16"], "test")
    for kind in TYPES:
        quantize(paths["f16"], paths[kind], kind)
    return paths


def test_fewer_bits_are_smaller_and_further_away(files):
    sequences = sample(Model(files["f16"]), ROWS, 400)
    copies = {kind: files[kind] for kind in TYPES}
    distances = list(mean_kl(files["f16"], copies, sequences).values())
    sizes = [files[kind].stat().st_size for kind in (*TYPES, "f16")]
    assert distances == sorted(distances, reverse=True)
    assert sizes == sorted(sizes)
    assert 0 < distances[-1] < 1e-2 < distances[0] * 100


def test_a_file_does_not_diverge_from_itself(files):
    sequences = sample(Model(files["f16"]), ROWS, 100)
    assert mean_kl(files["f16"], {"same": files["f16"]}, sequences) == {"same": 0.0}


def test_the_sample_is_cut_to_the_limit(files):
    model = Model(files["f16"])
    sequences = sample(model, ROWS, 100)
    assert sum(map(len, sequences)) in (99, 100)
    text = template.render(ROWS[0]["messages"], ROWS[0]["tools"])
    assert sequences[0] == model.tokenize(text)


def test_matrices_that_no_k_type_fits_are_named(files):
    stored = {kind: fallbacks(files[kind], kind) for kind in TYPES}
    narrow = "blk.*.proj.weight"
    assert stored["Q4_K_M"] == {narrow: "Q5_0"}
    assert stored["Q2_K"] == {narrow: "Q4_0"}
    assert stored["Q8_0"] == {}


def test_types_are_read_as_gguf_reads_them(files):
    from gguf import GGUFReader

    expected = {t.name: t.tensor_type.name for t in GGUFReader(files["Q4_K_M"]).tensors}
    assert tensor_types(files["Q4_K_M"]) == expected
    assert {"F32", "F16", "Q4_K", "Q5_0"} <= set(expected.values())


def test_quantising_again_gives_the_same_bytes(files, tmp_path):
    quantize(files["f16"], tmp_path / "again.gguf", "Q4_K_M")
    assert (tmp_path / "again.gguf").read_bytes() == files["Q4_K_M"].read_bytes()


def test_a_file_that_cannot_be_quantised_leaves_none(files, tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(files["f16"].read_bytes()[: files["f16"].stat().st_size // 2])
    with pytest.raises(LlamaError, match=r"broken\.gguf"):
        quantize(broken, tmp_path / "out.gguf", "Q8_0")
    assert [path.name for path in tmp_path.iterdir()] == ["broken.gguf"]


def test_divergence_is_positive_however_small(files):
    sequences = [np.arange(10, 40).tolist()]
    assert mean_kl(files["f16"], {"Q8_0": files["Q8_0"]}, sequences)["Q8_0"] > 0
