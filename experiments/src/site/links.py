"""What MkDocs does not know of these pages: their order, which files beside them are part of the site, and what draws."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

_PARTS = ["Start", "Guides", "Reference", "Science", "Develop", "Notebook"]
_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#\s]*)(#[^)\s]*)?\)")

_TOOLS = Path(__file__).resolve().parents[2] / "target/site-tools"
_PROGRAMS = {
    "mermaid.min.js": "mermaid/dist/mermaid.min.js",
    "mermaid.LICENSE.txt": "mermaid/LICENSE",
    "iframe-worker.js": "iframe-worker/shim/index.js",
    "iframe-worker.LICENSE.txt": "iframe-worker/LICENSE",
}


def on_files(files, config, **kwargs):
    """The programs that draw, and that search where a page is a file, are part of the site, so that it needs no network."""
    for name, path in _PROGRAMS.items():
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(_TOOLS / path)))
    # A name in the first column of a table stays in one piece.
    files.append(File.generated(config, "assets/site.css", content=".md-typeset td:first-child code { word-break: normal }"))
    return files


def on_post_page(output, page, **kwargs):
    """The theme takes the program that searches where a page is a file from the network."""
    return _without_network(output, "../" * page.file.dest_uri.count("/"))


def on_post_template(output, **kwargs):
    return _without_network(output, "/")


def _without_network(output, root):
    return output.replace("https://unpkg.com/iframe-worker/shim", f"{root}assets/iframe-worker.js")


def on_nav(nav, **kwargs):
    """Sections in the order in which they are read; the map of all pages first."""
    nav.items.sort(key=lambda item: _PARTS.index(item.title) + 1 if item.is_section and item.title in _PARTS else 0)
    return nav


def on_page_markdown(markdown, page, **kwargs):
    """A link to a file of the source tree becomes the file's path."""
    folder = posixpath.join("experiments/docs", posixpath.dirname(page.file.src_uri))

    def elsewhere(link):
        path = posixpath.normpath(posixpath.join(folder, link.group(2)))
        return link.group(0) if path.startswith("experiments/docs") else f"{link.group(1)} (`{path}`)"

    return _LINK.sub(elsewhere, markdown)
