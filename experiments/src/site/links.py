"""Links from pages to files beside the documentation become links to the source, by path; the rest is checked by MkDocs."""

import posixpath
import re

SOURCE = "https://github.com/trainyard/trainyard/blob/main/"
"""Where the source will be published; until then such a link shows the path."""

_LINK = re.compile(r"\]\(((?:\.\./)+[^)\s]*)\)")


def on_page_markdown(markdown, page, **kwargs):
    folder = posixpath.join("experiments/docs", posixpath.dirname(page.file.src_uri))

    def elsewhere(link):
        path = posixpath.normpath(posixpath.join(folder, link.group(1)))
        return link.group(0) if path.startswith("experiments/docs") else f"]({SOURCE}{path})"

    return _LINK.sub(elsewhere, markdown)
