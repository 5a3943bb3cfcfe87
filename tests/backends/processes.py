"""Real model servers as processes on loopback: llama_cpp.server and vLLM."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]
CONTEXT = 2048
LLAMA_OPTIONS = ["--n_ctx", str(CONTEXT), "--n_threads", "1"]
VLLM_OPTIONS = ["--max-model-len", str(CONTEXT), "--dtype", "float32"]
VLLM_READY = ROOT / ".venv-vllm/ready"


def wanted():
    """The servers that CANVAS_SERVERS says must be tested, as in CANVAS_SERVERS=vllm."""
    return set(filter(None, os.environ.get("CANVAS_SERVERS", "").split(",")))


@contextlib.contextmanager
def llama_cpp_server(model, tap, log):
    """The URL of a llama_cpp.server of a GGUF file; `tap` gets the ids of its prompts."""
    command = [sys.executable, "-m", "tests.backends.tap", str(tap), "--model", str(model)]
    with _running([*command, *LLAMA_OPTIONS], log, 60) as url:
        yield url


@contextlib.contextmanager
def vllm_server(folder, log):
    """The URL of a vLLM server of a model folder."""
    command = [str(ROOT / "docker/vllm-cpu/serve"), str(folder)]
    with _running([*command, *VLLM_OPTIONS], log, 400) as url:
        yield url


@contextlib.contextmanager
def _running(command, log, patience):
    """Start a server, wait until it answers, and end it with all its children."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait(process, url, log, patience)
        yield url
    finally:
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)


def _wait(process, url, log, patience):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"{url}/models", trust_env=False).status_code == 200:
                return
        time.sleep(0.2)
    tail = log.read_text(errors="replace")[-4000:]
    raise RuntimeError(f"no answer at {url} (exit code {process.poll()}):\n{tail}")
