"""Figures of edits of films that are on the hub already."""

from bench_lib.edits import edit, filled, settled_seconds
from bench_lib.table import Row
from rig import programs
from rig.processes import Node

EDITS = 20_000
RULES = programs.ROOT / "config" / "database.rules.json"


def guarded(plan) -> list[Row]:
    """Edits that the database's rules guard, in batches, against such that name an ETag each."""
    rules, etags = (_edits_a_second(plan, guard) for guard in (RULES, None))
    return [Row(f"{EDITS:,} edits with writeGuard: rules", f"{rules:,.0f}/s", f"with ETags: {etags:,.0f}/s",
                rules / etags, "over 2,000/s", rules > 2000)]


def _edits_a_second(plan, rules) -> float:
    world = plan.worlds.empty()
    node = Node(plan.worlds.binary, world.folder, "guarded", hub_data=world.folder / "guarded-data", rules=rules)
    world.nodes.append(node)
    ids = filled(node, EDITS)
    taken = settled_seconds(node, "".join(edit(one, f"Edited {one}") for one in ids), EDITS)
    plan.worlds.end(world)
    return EDITS / taken
