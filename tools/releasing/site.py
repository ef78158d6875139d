"""The documentation as a site: the repository's own pages, each rule's, and the editors'.

Pages are written for people who read the files in the repository. They are copied with their links
changed: one to a file that has a page leads to that page, one to any other file to the repository.
"""

from __future__ import annotations

import html.parser
import os
import posixpath
import re
import shutil
import sys
from pathlib import Path

from tools.releasing.archives import commit_time, pack, unpack
from tools.releasing.names import NAMES
from tools.releasing.results import ROOT, Result, run, tried
from zsh_ls.insights import pages
from zsh_ls.insights.registry import RuleKind, all_rules
from zsh_ls.model.addresses import page_of_rule

NAME = "documentation"
_CONFIG = Path(__file__).with_name("mkdocs.yml")
# A link of Markdown that is neither an address nor within its own page.
_LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def make(out: Path) -> list[Path]:
    """Build the site and pack it."""
    scratch = out / "site"
    shutil.rmtree(scratch, ignore_errors=True)
    built = build(scratch)
    archive = out / "zsh-ls-docs.tar.gz"
    pack(built, archive, "zsh-ls-docs")
    shutil.rmtree(scratch)
    return [archive]


def check(files: list[Path], scratch: Path) -> list[Result]:
    """Whether it has every rule's page, a search, and no link that leads nowhere."""
    unpack(files[0], scratch)
    site = scratch / "zsh-ls-docs"
    return [
        tried(NAME, "every rule has the page that findings link to", lambda: _has_rules(site)),
        tried(NAME, "every link leads to a file of the site", lambda: _leads_somewhere(site)),
        tried(NAME, "search knows a rule by its name", lambda: _is_searched(site)),
        tried(NAME, "nothing is loaded from elsewhere", lambda: _is_by_itself(site)),
    ]


def build(folder: Path) -> Path:
    """Write the pages and the site into `folder`; gives the site's. Raises what says why it cannot be."""
    write_pages(folder / "pages")
    shutil.copy(_CONFIG, folder / "mkdocs.yml")
    quiet = {"NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": str(commit_time())}
    run([sys.executable, "-m", "mkdocs", "build", "-q", "-d", "site"], folder, quiet)
    return folder / "site"


def sources() -> dict[str, str]:
    """The pages that are files of the repository: the path on the site, and in the repository."""
    docs = {file.name: f"docs/{file.name}" for file in sorted((ROOT / "docs").glob("*.md"))}
    editors = sorted((ROOT / "editors").glob("*/README.md"))
    return {
        "index.md": "README.md",
        "changelog.md": "CHANGELOG.md",
        "contributing.md": "CONTRIBUTING.md",
        "security.md": "SECURITY.md",
        **docs,
        **{f"editors/{it.parent.name}.md": f"editors/{it.parent.name}/README.md" for it in editors},
    }


def write_pages(folder: Path) -> None:
    """Write what the site is made of. Raises FileNotFoundError for a link to what is not there."""
    known = sources()
    texts = {page: _moved((ROOT / file).read_text(), page, known) for page, file in known.items()}
    texts["insights.md"] = _list_of_rules()
    texts |= {f"insights/{rule.name}.md": pages.page(rule) for rule in all_rules()}
    for name, text in pages.OTHER_PAGES.items():
        texts[f"insights/{name}.md"] = text.replace("### ", "# ", 1)
    for page, text in texts.items():
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(text)
    shutil.copytree(ROOT / "docs/pictures", folder / "pictures")


def _moved(text: str, page: str, known: dict[str, str]) -> str:
    """The text with links as they are on the site; code blocks as they are."""
    parts, end = [], 0
    for fenced in _FENCED.finditer(text):
        parts += [_with_links(text[end : fenced.start()], page, known), fenced[0]]
        end = fenced.end()
    return "".join([*parts, _with_links(text[end:], page, known)])


def _with_links(text: str, page: str, known: dict[str, str]) -> str:
    source = known[page]
    pages_of = {file: it for it, file in known.items()}
    pages_of |= {posixpath.dirname(it): pages_of[it] for it in known.values() if "editors/" in it}

    def link(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[1]))
        there = pages_of.get(target)
        if target.startswith("docs/pictures/"):
            there = target.removeprefix("docs/")
        if not os.path.lexists(ROOT / target):
            raise FileNotFoundError(f"{source} links to {found[1]}, which is not there")
        if there is not None:
            return posixpath.relpath(there, posixpath.dirname(page) or ".") + (found[2] or "")
        kind = "tree" if (ROOT / target).is_dir() else "blob"
        return f"{NAMES['repository']}/{kind}/main/{target}{found[2] or ''}"

    return _LINK.sub(link, text)


def _list_of_rules() -> str:
    parts = [pages.HEAD]
    for kind in RuleKind:
        if rules := [rule for rule in all_rules() if rule.kind is kind]:
            table = re.sub(r"\(#([^)]+)\)", r"(insights/\1.md)", pages.table(rules))
            parts += [f"## {kind.value.capitalize()}", pages.INTROS[kind], table]
    parts += [f"[`{name}`](insights/{name}.md)" for name in pages.OTHER_PAGES]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _has_rules(site: Path) -> str:
    names = [rule.name for rule in all_rules()]
    addresses = [page_of_rule(name).removeprefix(NAMES["site"]) for name in names]
    lacks = [it for it in addresses if not (site / it / "index.html").is_file()]
    assert not lacks, f"lacks {lacks}"
    return f"{len(names)} rules"


class _Links(html.parser.HTMLParser):
    """What a page names: `links` that people follow, `loaded` what the browser fetches by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in ("img", "script") and "src" in given:
            self.loaded.append(given["src"])
        elif tag == "link" and given.get("rel") in ("stylesheet", "icon"):
            self.loaded.append(given["href"])


def _leads_somewhere(site: Path) -> str:
    count = 0
    for page in site.rglob("*.html"):
        found = _Links(page.read_text())
        for link in (*found.links, *found.loaded):
            target = link.partition("#")[0].partition("?")[0]
            if not target or "://" in target or target.startswith(("mailto:", "/")):
                continue
            there = page.parent / target
            assert there.exists(), f"{page.relative_to(site)} links to {link}"
            count += 1
    assert count
    return f"{count} links"


def _is_searched(site: Path) -> str:
    (index,) = site.rglob("search_index.json")
    text = index.read_text()
    name = next(iter(all_rules())).name
    assert f"insights/{name}/" in text, f"does not know {name}"
    return f"{len(text) // 1024} kB"


def _is_by_itself(site: Path) -> str:
    for page in site.rglob("*.html"):
        loaded = _Links(page.read_text()).loaded
        others = [it for it in loaded if it.startswith(("http:", "https:", "//"))]
        assert not others, f"{page.relative_to(site)} loads {others}"
    return ""
