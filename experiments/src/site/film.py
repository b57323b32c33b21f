"""Films the page of `trainyard watch` in headless Chromium and writes experiments/docs/images/watch.gif and watch.png.

Needs playwright, Pillow and Chromium. First: trainyard watch RUN. usage: film.py URL [SIMULATED-MINUTES-BETWEEN-FRAMES [CHROMIUM]]
The URL says which run from which second on, such as http://127.0.0.1:8081/?run=2&at=172800.
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[2] / "docs/images"
FRAMES = 36
SIZE = {"width": 1100, "height": 640}


def frames(url, minutes, chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        # The page forbids scripts in strings, which is how this one asks it.
        page = browser.new_page(viewport=SIZE, color_scheme="light", bypass_csp=True)
        page.goto(url)
        page.wait_for_selector("body[data-ready]")
        page.evaluate("document.getElementById('play').textContent = 'pause'")
        for _ in range(FRAMES):
            # By simulated time, so that a busy machine makes the same film.
            page.evaluate(f"play(now + {60 * minutes})")
            yield Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        browser.close()


if __name__ == "__main__":
    shots = list(frames(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10, sys.argv[3] if len(sys.argv) > 3 else None))
    shots[-1].quantize(128, dither=Image.Dither.NONE).save(IMAGES / "watch.png", optimize=True)
    small = [shot.resize((880, 512), Image.LANCZOS) for shot in shots]
    palette = small[-1].quantize(96, dither=Image.Dither.NONE)
    film = [shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in small]
    film[0].save(IMAGES / "watch.gif", save_all=True, append_images=film[1:], duration=200, loop=0, optimize=True)
    for name in ("watch.gif", "watch.png"):
        print(f"{name}: {(IMAGES / name).stat().st_size:,} bytes")
