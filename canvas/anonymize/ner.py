"""Named entities by an installed spaCy model, an optional layer on top of the rules."""

from collections.abc import Callable, Iterator

from canvas.io import BadInput
from canvas.spans import Span

Recogniser = Callable[[str], Iterator[Span]]
_KINDS = {"PERSON": "PERSON", "PER": "PERSON", "GPE": "PLACE", "LOC": "PLACE", "FAC": "PLACE"}


def load(name: str | None) -> Recogniser | None:
    """Recogniser by the spaCy model of this name; None for no name.

    Raises BadInput where spaCy or the model is not installed: a run never goes on with less.
    """
    if name is None:
        return None
    remedy = f"install it (pip install spacy; python -m spacy download {name}), or set null"
    try:
        import spacy

        pipeline = spacy.load(name, exclude=["tagger", "parser", "lemmatizer"])
    except (ImportError, OSError) as error:
        raise BadInput(
            "params.yaml",
            f"spaCy model {name!r} is not installed",
            field="anonymize.ner",
            remedy=remedy,
        ) from error

    def find(text: str) -> Iterator[Span]:
        for entity in pipeline(text).ents:
            if entity.label_ in _KINDS:
                kind = _KINDS[entity.label_]
                yield Span(entity.start_char, entity.end_char, kind, entity.text.casefold())

    return find
