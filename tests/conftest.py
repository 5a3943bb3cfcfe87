"""What every test runs under: offline, no telemetry, few threads, no deadline on a busy machine."""

import os

from hypothesis import settings

for name, value in {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DVC_NO_ANALYTICS": "1",
    "OMP_NUM_THREADS": "2",
}.items():
    os.environ.setdefault(name, value)

# A fresh draw at every run finds more at a desk; a gate must give the same answer twice.
settings.register_profile("tests", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("tests")
