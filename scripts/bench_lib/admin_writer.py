"""Writes the films of a journal with firebase-admin, and prints how long that took. Runs in the bench's venv."""

import argparse
import itertools
import json
import time

import firebase_admin
from firebase_admin import db

BATCH = 500


def films(path: str) -> dict[str, dict]:
    with open(path, encoding="utf-8") as file:
        operations = [json.loads(line) for line in file]
    return {one["id"]: {"identifier": one["id"], **one["fields"]} for one in operations}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--mode", choices=["set", "update"], required=True)
    parser.add_argument("journal")
    options = parser.parse_args()
    firebase_admin.initialize_app(options={"databaseURL": options.url})
    records = films(options.journal)
    movies = db.reference("movies")
    began = time.perf_counter()
    if options.mode == "set":
        for identifier, film in records.items():
            movies.child(identifier).set(film)
    else:
        rest = iter(records.items())
        while batch := dict(itertools.islice(rest, BATCH)):
            movies.update(batch)
    taken = time.perf_counter() - began
    written = len(movies.get(shallow=True) or {})
    if written != len(records):
        raise SystemExit(f"wrote {len(records)} films, the hub has {written}")
    print(json.dumps({"seconds": taken}))


if __name__ == "__main__":
    main()
