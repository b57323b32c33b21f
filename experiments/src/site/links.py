"""What MkDocs does not know of these pages: their order, and that files beside them are not part of the site."""

import posixpath
import re

_PARTS = ["Start", "Guides", "Reference", "Science", "Develop", "Notebook"]
_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#\s]*)(#[^)\s]*)?\)")


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
