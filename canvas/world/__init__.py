"""Simulated Canvas and calendar: the world that the tools read and change."""

from canvas.world.facts import Announcement, Assignment, Course, Event
from canvas.world.state import World, diff

__all__ = ["Announcement", "Assignment", "Course", "Event", "World", "diff"]
