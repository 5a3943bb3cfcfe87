"""Canvas and calendar as the tools see them, and a simulated one that they read and change."""

from canvas.world.facts import Announcement, Assignment, Course, Event
from canvas.world.state import World, diff
from canvas.world.view import WorldView

__all__ = ["Announcement", "Assignment", "Course", "Event", "World", "WorldView", "diff"]
