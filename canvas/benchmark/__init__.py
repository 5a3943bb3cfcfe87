"""Benchmark: scenarios in any number, scored for a model and compared between models."""
