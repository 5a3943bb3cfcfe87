"""`python -m canvas` is the console script `canvas`."""

from canvas.cli import main

if __name__ == "__main__":
    main(prog_name="canvas")
