"""Canvas Calendar Agent: coursework contributions to a small, tool-using study-planning agent."""

__version__ = "0.1.0"
