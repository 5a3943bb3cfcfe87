"""A released checkpoint as start model: the text tower alone, every weight accounted for."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from canvas import io
from canvas.template import TEMPLATE_PATH

if TYPE_CHECKING:
    from transformers import Gemma4ForCausalLM


_COMMIT = re.compile(r"[0-9a-f]{40}")


def fetch(name: str, revision: str, out: Path) -> None:
    """Write the text tower and tokenizer of `name` (hub id or folder) at `revision` into `out`.

    The saved tokenizer carries our training template. Raises BadInput without a name, on a revision
    that is no commit (a branch moves), and as `text_tower` does.
    """
    from transformers import AutoTokenizer

    if not name:
        raise io.BadInput("params.yaml", "no checkpoint is named", field="base.checkpoint")
    if not (isinstance(revision, str) and _COMMIT.fullmatch(revision)):
        raise io.BadInput(
            "params.yaml",
            f"a checkpoint needs a pinned revision, and {revision!r} is no commit",
            field="base.revision",
            remedy="give the 40 hex digits of a commit of the checkpoint's repository",
        )
    text_tower(name, revision).save_pretrained(out)
    tokenizer = AutoTokenizer.from_pretrained(name, revision=revision)
    tokenizer.chat_template = Path(TEMPLATE_PATH).read_text(encoding="utf-8")
    tokenizer.save_pretrained(out)


def text_tower(name: str, revision: str | None = None) -> "Gemma4ForCausalLM":
    """The text model of a Gemma 4 checkpoint, multimodal or not, in its own dtype.

    Loading a multimodal checkpoint straight into Gemma4ForCausalLM only warns and leaves the
    weights random, so the tower is taken out here. Raises BadInput where the checkpoint lacks a
    weight of the tower, or holds one that the tower has no place for.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, Gemma4ForCausalLM

    config = AutoConfig.from_pretrained(name, revision=revision)
    text_only = config.model_type == "gemma4_text"
    loader = Gemma4ForCausalLM if text_only else AutoModelForCausalLM
    model, report = loader.from_pretrained(
        name, revision=revision, dtype="auto", output_loading_info=True
    )
    missing, surplus = (
        sorted(key for key in report[kind] if text_only or "language_model" in key)
        for kind in ("missing_keys", "unexpected_keys")
    )
    if not text_only:
        tower, settings = model.model.language_model, model.generation_config
        model = Gemma4ForCausalLM(config.get_text_config()).to(tower.dtype)
        missing += model.model.load_state_dict(tower.state_dict(), strict=False).missing_keys
        model.tie_weights()
        model.generation_config = settings
    for keys, verb in ((missing, "lacks"), (surplus, "has no place in its configuration for")):
        if keys:
            raise io.BadInput(
                name,
                f"the checkpoint {verb} {len(keys)} weights of the text tower, first {keys[0]!r}",
                remedy="use a complete Gemma 4 checkpoint with its own config.json",
            )
    return model
