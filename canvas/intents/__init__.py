"""Intents: the requests that the agent can serve, their slots and what must hold afterwards."""

from canvas.intents.basic import scenarios
from canvas.intents.demands import Outcome
from canvas.intents.table import INTENTS, Intent

__all__ = ["INTENTS", "Intent", "Outcome", "scenarios"]
