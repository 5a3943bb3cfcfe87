"""Live tools."""
