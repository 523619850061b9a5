"""What a measurement is, and how the table of them looks."""

from dataclasses import dataclass


class Broken(Exception):
    """A measurement can't be made, or what was measured did not do its work."""


@dataclass
class Row:
    """One line of the table. `ok` is None where there is no goal."""

    figure: str
    measured: str
    against: str = ""
    ratio: float | None = None
    goal: str = ""
    ok: bool | None = None

    def cells(self) -> list[str]:
        verdict = {True: "ok", False: "missed", None: ""}[self.ok]
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}" if self.ratio < 10 else f"{self.ratio:.1f}"
        return [self.figure, self.measured, self.against, ratio, self.goal, verdict]


def rendered(rows: list[Row]) -> str:
    """The table as text, columns aligned."""
    cells = [["figure", "measured", "against", "ratio", "goal", ""]] + [row.cells() for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths).rstrip())
    return "\n".join(lines)


def seconds(value: float) -> str:
    """A duration with the unit that suits it."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.2f} ms" if value < 0.01 else f"{value * 1000:.0f} ms"


def mebibytes(value: float) -> str:
    return f"{value / (1 << 20):.1f} MiB"
