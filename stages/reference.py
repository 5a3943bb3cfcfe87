"""Score preference rows once with the model that five methods start from and are held to."""

from pathlib import Path

import click

from canvas import io


@click.command()
@click.argument("model", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("rows", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
def main(model: Path, rows: Path, out: Path) -> None:
    """Write ROWS to OUT with the summed log-probabilities that MODEL gives both answers."""
    from canvas import reference
    from canvas.training import model as models
    from canvas.training import recipe, tokens

    machine = recipe.machine(io.params("training")["training"])
    examples = io.read_rows(rows)
    numbered = list(enumerate(examples, 1))
    pairs = tokens.pairs(numbered, models.load_tokenizer(model), rows)
    network = models.load(model, machine)
    sequences = [
        (pair["prompt_ids"], pair[f"{kind}_ids"])
        for kind in ("chosen", "rejected")
        for pair in pairs
    ]
    logps = reference.logps(network, sequences, autocast=machine.autocast)
    io.write_rows(
        out,
        (
            {**row, "ref_chosen_logps": chosen, "ref_rejected_logps": rejected}
            for row, chosen, rejected in zip(
                examples, logps[: len(pairs)], logps[len(pairs) :], strict=True
            )
        ),
    )


if __name__ == "__main__":
    main()
