"""Agent test cases: what a user asks in which world, and by what the outcome is judged.

A scenario is judged on the final state, on side effects, and on what the answer states, never on
the list of calls. `expect` holds rules (`canvas.expectations`) that must hold of the changes made;
`forbid` rules that must select none; `facts` what the answer must state (`canvas.facts`), each a
tuple of alternatives; `unsaid` what it must not. An empty `expect` means that nothing may change.
"""

from collections.abc import Callable
from dataclasses import dataclass

from canvas.expectations import Rule
from canvas.world import World


@dataclass(frozen=True)
class Scenario:
    """One test case. `world` makes a fresh world each time; `tools` names what the prompt declares.

    `tier` is `basic` or `planning`; `family` names the intent or the plan that the oracle follows.
    """

    id: str
    tier: str
    family: str
    prompt: str
    world: Callable[[], World]
    tools: tuple[str, ...]
    expect: tuple[Rule, ...] = ()
    forbid: tuple[Rule, ...] = ()
    facts: tuple[tuple[str, ...], ...] = ()
    unsaid: tuple[str, ...] = ()
