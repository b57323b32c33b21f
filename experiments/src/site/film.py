"""Films the page of `trainyard watch` in headless Chromium and writes experiments/docs/images/watch.gif.

Needs playwright, Pillow and Chromium. First: trainyard watch RUN. usage: film.py URL [SECONDS-BETWEEN-FRAMES [CHROMIUM]]
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

FILM = Path(__file__).resolve().parents[2] / "docs/images/watch.gif"
FRAMES = 24
SIZE = {"width": 1100, "height": 640}


def frames(url, seconds, chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(url)
        page.wait_for_function("document.querySelector('#clock').value !== ''")
        page.wait_for_timeout(1500)
        page.click("#play")
        for _ in range(FRAMES):
            page.wait_for_timeout(1000 * seconds)
            image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            yield image.resize((880, 512), Image.LANCZOS).quantize(64, dither=Image.Dither.NONE)
        browser.close()


if __name__ == "__main__":
    pause = float(sys.argv[2]) if len(sys.argv) > 2 else 0.3
    shots = list(frames(sys.argv[1], pause, sys.argv[3] if len(sys.argv) > 3 else None))
    shots[0].save(FILM, save_all=True, append_images=shots[1:], duration=250, loop=0, optimize=True)
    print(f"{FILM}: {FILM.stat().st_size:,} bytes")
