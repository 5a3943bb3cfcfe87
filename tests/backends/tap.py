"""llama_cpp.server that notes the token ids of every prompt it runs.

python -m tests.backends.tap FILE [OPTION…], with the options of llama_cpp.server.
"""

import json
import sys
from pathlib import Path

from llama_cpp import Llama
from llama_cpp.server.__main__ import main


def tap(path):
    """Append the ids of each prompt, as the model is given them, to `path`, one JSON line each."""
    generate = Llama.generate

    def tapped(self, tokens, *args, **kwargs):
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(list(tokens)) + "\n")
        return generate(self, tokens, *args, **kwargs)

    Llama.generate = tapped


if __name__ == "__main__":
    tap(Path(sys.argv.pop(1)))
    main()
