"""Live tools: a student's own Canvas and calendar. Modules are imported on first use."""

from importlib import import_module

_LAZY = {
    "CalDav": "caldav",
    "CanvasCoursework": "coursework",
    "IcsFile": "icsfile",
    "LiveWorld": "world",
    "NotConnected": "connection",
    "Stale": "calendar",
    "connect": "connection",
}
__all__ = ["CalDav", "CanvasCoursework", "IcsFile", "LiveWorld", "NotConnected", "Stale", "connect"]


def __getattr__(name: str):
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
