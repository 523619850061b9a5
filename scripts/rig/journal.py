"""Journal lines of films: made from a list of films, or made up."""

import datetime
import json
import random
from collections.abc import Iterable, Iterator

GENRES = ["Action", "Animated", "Comedy", "Crime", "Documentary", "Drama", "Horror", "Musical", "Romance", "Western"]
WORDS = (
    "amber arrow autumn black bridge city cold crown dawn distant door dream echo empty fire forest garden ghost glass "
    "golden harbor heart hidden house island journey lantern last letter light little lost midnight mirror moon night "
    "north ocean old paper promise quiet rain red return river road scarlet secret seven shadow silent silver sky snow "
    "song star stone storm street summer third thunder train violet voyage white wild winter"
).split()


def uuid4(source: random.Random) -> str:
    """A random UUID (version 4), upper case; the same one again from a source with the same seed."""
    digits = f"{source.getrandbits(128):032X}"
    digits = f"{digits[:12]}4{digits[13:16]}{'89AB'[source.getrandbits(2)]}{digits[17:]}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def instant(text: str) -> datetime.datetime:
    """Reads an RFC 3339 time; raises ValueError for anything else, a time without its zone included."""
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00").replace("z", "+00:00"))
    if time.tzinfo is None:
        raise ValueError(f"{text} names no time zone: write 2026-01-31T20:15:00Z")
    return time.astimezone(datetime.timezone.utc)


def line(identifier: str, fields: dict, at: datetime.datetime | None = None) -> str:
    """One journal line that creates a record, with its newline."""
    operation = {"op": "create", "id": identifier, "fields": fields}
    if at is not None:
        operation["at"] = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps(operation, ensure_ascii=False, separators=(",", ":")) + "\n"


def lines(films: Iterable[dict], seed: int, at: datetime.datetime | None = None) -> Iterator[str]:
    """Journal lines for films (`title`, `year`, `genres`); one a millisecond from `at` on where it is given.

    Films without a title are left out. The same films, seed and time give the same lines.
    """
    source = random.Random(seed)
    for film in films:
        title = film.get("title")
        if not isinstance(title, str) or not title.strip():
            continue
        fields = {"title": title, "hasWatched": False, "year": film.get("year"), "genres": film.get("genres")}
        yield line(uuid4(source), {key: value for key, value in fields.items() if value is not None}, at)
        if at is not None:
            at += datetime.timedelta(milliseconds=1)


def made_up_films(count: int, seed: int) -> Iterator[dict]:
    """As many films as asked for, of about the size of real ones, which nobody has ever shot."""
    source = random.Random(f"films {seed}")
    for _ in range(count):
        title = " ".join(source.choices(WORDS, k=source.choice((1, 2, 2, 3, 3, 4)))).title()
        genres = source.sample(GENRES, k=source.choice((0, 1, 1, 2, 3)))
        yield {"title": title, "year": source.randint(1900, 2023), "genres": genres}
