"""Audit: the gate. Looks for what must not be in shared data, by means of its own."""
