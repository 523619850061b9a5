"""Whole libraries, of nodes and of the hub, in one form that can be compared."""

import json
from collections.abc import Iterable

from rig.processes import Hub, Node

ONLY_ON_THE_WIRE = ("identifier", "_v", "_t", "_f", "_b")

Library = dict[str, tuple[dict, str]]


def kept(value: object) -> object:
    """A value as the database keeps it: nulls, empty objects and empty arrays are as good as absent."""
    if isinstance(value, dict):
        inside = {key: kept(element) for key, element in value.items()}
        return {key: element for key, element in inside.items() if element not in (None, {}, [])}
    return [kept(element) for element in value] if isinstance(value, list) else value


def of_node(node: Node) -> Library:
    """Fields and stamp of every film that a node has, by id."""
    return {identifier: (kept(record["fields"]), record["stamp"]) for identifier, record in node.records().items()}


def of_hub(hub: Hub) -> Library:
    """The same of what a hub holds; a film that no node has stamped yet has an empty stamp."""
    tree = json.loads(hub.text("/movies.json")) or {}
    return {
        identifier: ({key: value for key, value in body.items() if key not in ONLY_ON_THE_WIRE}, body.get("_v", ""))
        for identifier, body in tree.items()
    }


def difference(hub: Hub, nodes: Iterable[Node]) -> str:
    """What differs between the hub and its nodes, in words; empty where all are equal."""
    expected = of_hub(hub)
    for node in nodes:
        found = of_node(node)
        different = sorted(key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key))
        if different:
            first = different[0]
            return (
                f"{node.name} and the hub differ in {len(different)} of {len(expected)} films; {first}: "
                f"{found.get(first, 'absent')} there, {expected.get(first, 'absent')} on the hub"
            )
    return ""
