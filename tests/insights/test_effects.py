"""What a call does, by its arguments (REH-1); in doubt it does not only read."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import pytest

from zsh_ls.insights.effects import (
    destroys,
    file_work,
    foretold,
    only_reads,
    publishes,
    reaches_network,
)


class Everything:
    """A file system in which `/w/there` and `/w/folder` are."""

    def exists(self, path: str) -> bool:
        return path in {"/w/there", "/w/folder", "/w"}

    def is_folder(self, path: str) -> bool:
        return path in {"/w", "/w/folder"}

    def found_by(self, words: Sequence[str], cwd: str) -> Sequence[str]:
        return ["./there"]


@pytest.mark.parametrize(
    "line",
    [
        "grep -r x .",
        "sed -n 1,3p f",
        "sed -e 's/w/e/g' f",
        "sed '/delete/d' f",
        "awk '{ print $1 }' f",
        "awk '$3 > 5 { n++ } END { print n }' f",
        "find . -name '*.log'",
        "sort -u f",
        "git status --short",
        "git branch --show-current",
        "git tag -l 'v*'",
        "git config user.name",
        "git remote -v",
        "git stash list",
        "git -C sub log -1",
        "date +%F",
        "date -d 20200101 +%s",
        "uniq f",
        "dpkg -l",
        "hostname",
        "jq -r .version package.json",
    ],
)
def test_it_only_reads(line: str) -> None:
    assert only_reads(shlex.split(line))


@pytest.mark.parametrize(
    "line",
    [
        "sed -i s/a/b/ f",
        "sed -ni p f",
        "sed --in-place=.bak p f",
        "sed 'w out' f",
        "sed 's/a/b/w out' f",
        "sed '1e date' f",
        "sed -f script f",
        "awk '{ print > \"out\" }' f",
        "awk '{ print | \"sh\" }' f",
        "awk 'BEGIN { system(\"rm x\") }'",
        "awk -f prog f",
        "find . -delete",
        "find . -fprint out",
        "sort -o f f",
        "sort -uo f f",
        "sort --output=f f",
        "uniq in out",
        "git branch -d x",
        "git branch new",
        "git branch -vD x",
        "git tag v1",
        "git config user.name me",
        "git config --unset user.name",
        "git stash",
        "git -c core.pager=x log",
        "git diff --output=x",
        "git remote add o u",
        "date -s 2020-01-01",
        "date 010100002020",
        "hostname box",
        "xxd -r in out",
        "curl https://x",
        "tee f",
        "make",
        "python3 -c 1",
        "unknown-program",
    ],
)
def test_it_does_more_than_read(line: str) -> None:
    assert not only_reads(shlex.split(line))


@pytest.mark.parametrize(
    ("line", "touched"),
    [
        ("cp a b there", {"/w/there"}),
        ("cp a folder", {"/w/folder/a"}),
        ("cp -t folder a b", {"/w/folder/a", "/w/folder/b"}),
        ("mv a /etc/x", {"/w/a", "/etc/x"}),
        ("rm -rf /srv/x y", {"/srv/x", "/w/y"}),
        ("rm -- -f", {"/w/-f"}),
        ("ln -s /etc/passwd here", {"/w/here"}),
        ("ln /etc/passwd here", {"/w/here", "/etc/passwd"}),
        ("install -m 755 -d /opt/x", {"/opt/x"}),
        ("chmod -w there", {"/w/there"}),
        ("chmod 755 there", {"/w/there"}),
        ("tar czf out.tgz d", {"/w/out.tgz"}),
        ("tar -C /opt -xzf a.tgz", {"/opt/x"}),
        ("tar xf a.tar", {"/w/x"}),
        ("sed -i s/a/b/ there", {"/w/there"}),
        ("sed -i.bak -e s/a/b/ there /etc/x", {"/w/there", "/etc/x"}),
        ("sort -o out in", {"/w/out"}),
        ("tee -a /var/log/x", {"/var/log/x"}),
        ("mktemp -d", {"/tmp/x"}),
        ("mktemp ./x.XXXX", {"/w/x.XXXX"}),
        ("dd if=/dev/zero of=/dev/sda", {"/dev/sda"}),
        ("find folder -name x -delete", {"/w/folder/x"}),
        ("truncate -s 0 there", {"/w/there"}),
        ("gzip there", {"/w/there"}),
    ],
)
def test_the_files_that_a_call_works_on(line: str, touched: set[str]) -> None:
    work = file_work(shlex.split(line), "/w", Everything())
    assert work is not None
    assert set(work.touched) == touched


@pytest.mark.parametrize(
    "line",
    [
        "tar --to-command=sh -xf a",
        "tar -xPf a",
        "tar cf a --remove-files x",
        "sed -i 'w x' f",
        "find . -exec rm {} + -delete",
        "split --filter=sh f",
        "make x",
    ],
)
def test_files_that_are_not_known(line: str) -> None:
    assert file_work(shlex.split(line), "/w", Everything()) is None


def test_what_would_be_written_is_foretold() -> None:
    def told(line: str) -> list[tuple[str, str]]:
        return [(path, str(it)) for path, it in foretold(shlex.split(line), "/w", Everything())]

    assert told("curl -fsSLo out https://x/y") == [("/w/out", "create")]
    assert told("curl -O https://x/y.tgz?a=b") == [("/w/y.tgz", "create")]
    assert told("wget https://x/y.tgz") == [("/w/y.tgz", "create")]
    assert told("rm -f there nothing") == [("/w/there", "remove")]
    assert told("git clone https://x/y/app.git") == [("/w/app", "create")]
    assert told("cp a there") == [("/w/there", "change")]


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("git push origin main", "publishes network"),
        ("git push --force", "destroys publishes network"),
        ("git push -n", "publishes network"),
        ("git fetch", "network"),
        ("git reset --hard", "destroys"),
        ("git clean -n", ""),
        ("npm publish --dry-run", "network"),
        ("npm publish", "publishes network"),
        ("npm test", ""),
        ("curl -X POST https://x", "publishes network"),
        ("curl -fsSL https://x", "network"),
        ("curl -F file=@x https://x", "publishes network"),
        ("rsync -a a b", ""),
        ("rsync -a --delete a host:b", "destroys publishes network"),
        ("scp host:a .", "network"),
        ("scp a host:", "publishes network"),
        ("aws s3 ls", "network"),
        ("aws s3 cp a s3://b", "publishes network"),
        ("docker rm -f x", "destroys"),
        ("kubectl delete pod x", "destroys network"),
        ("terraform destroy", "destroys network"),
        ("mail -s x me", "publishes network"),
        ("docker build .", ""),
    ],
)
def test_marks(line: str, marks: str) -> None:
    words = shlex.split(line)
    found = {"destroys": destroys, "publishes": publishes, "network": reaches_network}
    assert " ".join(name for name, ask in found.items() if ask(words)) == marks
