"""Collect: a student's own coursework from Canvas to one masked file."""
