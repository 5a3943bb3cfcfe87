"""A conversation with the agent in a terminal; nothing is changed without the student's yes."""
