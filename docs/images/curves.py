"""Draws docs/images/resection.svg: opening and way to the side of a whole, a resected and a rebuilt mandible.

    python docs/images/curves.py results/whole results/resected results/rebuilt docs/images/resection.svg

Each folder is one of `sinew run` with the probe of docs/howto/resection.md. Needs nothing but Python.
"""

import csv
import math
import pathlib
import sys

UPPER_INCISOR = (0.045, 0.0, 0.037)
REST = 1.0
COLOURS = ("#2b6cb0", "#c05621", "#2f855a")
WIDTH, HEIGHT, LEFT, TOP = 300, 180, 46, 24


def read(folder):
    """Rows of time [s], gape [mm] and way to the left [mm]."""
    with open(pathlib.Path(folder) / "probes.csv", newline="") as file:
        rows = [list(map(float, row)) for row in list(csv.reader(file))[1:]]
    return [(t, 1e3 * math.dist((x, y, z), UPPER_INCISOR) - REST, 1e3 * y) for t, x, y, z in rows]


def panel(origin, title, limits, curves):
    """One graph over time: its frame, its ticks, its lines."""
    low, high = limits
    at = lambda t, v: (origin + WIDTH * t, TOP + HEIGHT * (high - v) / (high - low))
    out = [f'<rect x="{origin}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
           f'<text x="{origin}" y="{TOP - 8}">{title}</text>']
    for tick in range(low, high + 1, 10):
        out.append(f'<text x="{origin - 6}" y="{at(0, tick)[1] + 4:.1f}" text-anchor="end">{tick}</text>')
    for colour, points in zip(COLOURS, curves):
        line = " ".join("{:.1f},{:.1f}".format(*at(t, v)) for t, v in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return out


def main(folders, target):
    runs = [read(folder) for folder in folders]
    out = panel(LEFT, "gape [mm]", (0, 50), [[(t, g) for t, g, _ in run] for run in runs])
    second = 2 * LEFT + WIDTH
    out += panel(second, "to the left [mm]", (-10, 20), [[(t, y) for t, _, y in run] for run in runs])
    for k, (colour, folder) in enumerate(zip(COLOURS, folders)):
        name = pathlib.Path(folder).name
        out.append(f'<text x="{LEFT + 110 * k}" y="{TOP + HEIGHT + 22}" fill="{colour}">{name}</text>')
    out.append(f'<text x="{second + WIDTH}" y="{TOP + HEIGHT + 22}" text-anchor="end">0 to 1 s</text>')
    size = f'width="{second + WIDTH + 12}" height="{TOP + HEIGHT + 34}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    text = "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *out, "</svg>"])
    pathlib.Path(target).write_text(text + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(sys.argv[1:4], sys.argv[4])
