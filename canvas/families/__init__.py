"""Families: planning scenarios at scale, each drawn from a seed with a plan that passes it."""

from canvas.families.generator import Made, generate, made

__all__ = ["Made", "generate", "made"]
