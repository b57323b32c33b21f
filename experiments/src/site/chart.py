"""Draws experiments/docs/images/rivals.svg from experiments/docs/science/rivals.json and prints the same figures as a table.

usage: python3 experiments/src/site/chart.py
"""

import json
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
LEFT, WIDTH, ROW, MOST, LEAST = 118, 210, 22, 4, -100
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328 } .head { font-weight: 600 } .small { font-size: 11px; fill: #59636e }
  .bar { fill: #4c78a8 } .untrained { fill: #9aa4af } .learned { stroke: #c4500c; stroke-width: 2 } .grid { stroke: #d1d9e0 }
  .interval { stroke: #1f2328; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .small { fill: #9198a1 } .bar { fill: #6ea8e0 } .untrained { fill: #6e7681 } .learned { stroke: #ff9a4d }
    .grid { stroke: #3d444d } .interval { stroke: #f0f6fc }
  }
"""


def x(world, percent):
    return LEFT + world * (WIDTH + 24) + WIDTH * (MOST - percent) / (MOST - LEAST)


def line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def drawing(results):
    rivals = results["rivals"]
    bottom = 46 + ROW * len(rivals)
    width, height = LEFT + len(results["worlds"]) * (WIDTH + 24), bottom + 42
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{results['about']}</title><style>{STYLE}</style>",
    ]
    for world, name in enumerate(results["worlds"]):
        parts.append(f'<text class="head" x="{x(world, 0):.1f}" y="26">{name}</text>')
        for tick in (-25, -50, -75):
            parts.append(line("grid", x(world, tick), 40, x(world, tick), bottom))
            parts.append(f'<text class="small" text-anchor="middle" x="{x(world, tick):.1f}" y="{bottom + 14}">{tick} %</text>')
        parts.append(f'<text class="small" text-anchor="middle" x="{x(world, 0):.1f}" y="{bottom + 14}">0</text>')
    for row, (rival, differences) in enumerate(rivals.items()):
        top = 46 + ROW * row
        parts.append(f'<text text-anchor="end" x="{LEFT - 4}" y="{top + 12}">{rival}</text>')
        for world, difference in enumerate(differences):
            value, low, high = difference
            start, end = sorted((x(world, 0), x(world, value)))
            kind = "untrained" if rival == "untrained" else "bar"
            parts.append(f'<rect class="{kind}" x="{start:.1f}" y="{top}" width="{end - start:.1f}" height="{ROW - 6}"/>')
            parts.append(line("interval", x(world, low), top + 8, x(world, high), top + 8))
    for world in range(len(results["worlds"])):
        parts.append(line("learned", x(world, 0), 36, x(world, 0), bottom))
    parts.append(
        f'<text class="small" x="{LEFT}" y="{bottom + 34}">Mean job completion time of the learned policy against each rival '
        "(line: level); thin lines: 95 % intervals</text></svg>"
    )
    return "\n".join(parts) + "\n"


def table(results):
    yield "| learned policy against | " + " | ".join(results["worlds"]) + " |"
    yield "|---|" + "---|" * len(results["worlds"])
    for rival, differences in results["rivals"].items():
        cells = ["{:+.1f} % ({:+.1f}..{:+.1f})".format(*difference) for difference in differences]
        yield f"| {rival} | " + " | ".join(cells) + " |"


if __name__ == "__main__":
    figures = json.loads((DOCS / "science/rivals.json").read_text())
    (DOCS / "images/rivals.svg").write_text(drawing(figures))
    print("\n".join(table(figures)))
