"""Writes down a second day: `python -m tests.judgement.make_second_day > tests/judgement/second_day.jsonl`.

Ben looks after two services and their servers, with one agent, in a terminal and in an editor. Like the
first day it was written by hand, before anybody looked at what memory tells of it; no rule was
changed for it. It has what the first has little of: ssh, kills, downloads, wrong options, servers that
are started and stopped, a folder that is no repository.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

from tests.judgement.make_day import Day, Laws, Who

SEED = 20261124
API, INFRA, DOCS = "src/api", "src/infra", "src/docs"
SCRATCH = "scratch"
AGENT = Who("agent", "agent", "agent-1")
SECOND_AGENT = Who("agent", "agent", "agent-2")
EDITOR = Who("person", "editor", "editor-1")
TERMINAL = Who("person", "cli", "terminal-1")

LAWS: Laws = {
    ("", ""): (0.06, 0.5),
    ("cargo build", API): (46.0, 0.4),
    ("cargo build --release", API): (170.0, 0.2),
    ("cargo test", API): (33.0, 0.3),
    ("cargo test -p", API): (9.0, 0.3),
    ("cargo clippy", API): (14.0, 0.4),
    ("cargo fmt", API): (0.6, 0.2),
    ("cargo check", API): (7.0, 0.5),
    ("terraform plan", INFRA): (19.0, 0.3),
    ("terraform apply", INFRA): (64.0, 0.5),
    ("terraform init", INFRA): (11.0, 0.5),
    ("ansible-playbook", INFRA): (88.0, 0.35),
    ("make", DOCS): (5.0, 0.3),
    ("make", INFRA): (0.4, 0.3),
    ("make", API): (50.0, 0.3),
    ("ssh", ""): (1.4, 0.5),
    ("scp", ""): (4.0, 0.8),
    ("rsync", ""): (6.0, 1.0),
    ("curl", ""): (0.5, 0.8),
    ("wget", ""): (15.0, 1.0),
    ("git push", ""): (2.2, 0.3),
    ("git pull", ""): (1.9, 0.4),
    ("docker compose", ""): (8.0, 0.7),
    ("docker build", API): (140.0, 0.4),
    ("pip install", ""): (9.0, 0.8),
    ("kubectl", ""): (0.9, 0.4),
}


def morning(day: Day) -> None:
    day.run(TERMINAL, API, "git pull", says="Updating 91aa..c0de\n 11 files changed")
    day.run(TERMINAL, API, "cargo build", says="Finished dev")
    day.run(TERMINAL, API, "cargo test", 101, "test pool::drains ... FAILED\n1 failed; 96 passed")
    day.run(TERMINAL, API, "cargo test -p pool", 101, "test drains ... FAILED\n1 failed; 11 passed")
    day.run(TERMINAL, API, "git log --oneline -8 -- crates/pool", says="c0de Drain twice")
    day.run(TERMINAL, API, "git show c0de | head -60", says="commit c0de", pipestatus=(141, 0))
    day.run(EDITOR, API, "cargo test -p pool drains", 101, "1 failed; 0 passed")
    for exit_status in (101, 0):
        day.edit(90.0)
        day.run(EDITOR, API, "cargo test -p pool drains", exit_status, "1 test", again=True)
    day.run(TERMINAL, API, "cargo test", says="97 passed")
    day.run(TERMINAL, API, "git commit -am 'Drain once'", says="[main 1a2b] Drain once")
    day.run(TERMINAL, API, "git push", 1, "! [rejected] main -> main (fetch first)")
    day.run(TERMINAL, API, "git pull --rebase", says="Successfully rebased")
    day.run(TERMINAL, API, "git push", says="main -> main")
    day.run(TERMINAL, INFRA, "git pull", says="Already up to date.")
    day.run(TERMINAL, INFRA, "make lint", 2, "main.tf:7: trailing white space\nmake: *** Error 1")
    day.run(TERMINAL, INFRA, "make lint", says="")
    day.run(TERMINAL, ".", "ls -t | head -3", says="src\nscratch", pipestatus=(0, 0))


def servers(day: Day) -> None:
    away = "ssh: connect to host db2 port 22: Connection timed out"
    for command in ("uptime", "df -h /var"):
        for host in ("app1", "app2", "db1"):
            day.run(TERMINAL, INFRA, f"ssh {host} {command}", says="fine")
    day.run(TERMINAL, INFRA, "ssh db2 uptime", 255, away, lasts_s=21.0)
    day.run(TERMINAL, INFRA, "ping -c 2 db2", 1, "2 packets transmitted, 0 received", lasts_s=11.0)
    day.run(TERMINAL, INFRA, "ssh db2 uptime", 255, away, lasts_s=21.0)
    day.pause(600.0)
    day.run(AGENT, INFRA, "ssh db2 df -h /var", 255, away, lasts_s=21.0)
    day.run(AGENT, INFRA, "ssh db2 df -h /var", 255, away, lasts_s=21.0)
    day.run(AGENT, INFRA, "ssh db1 systemctl is-active postgresql", says="active")
    day.run(AGENT, INFRA, "ssh db1 journalctl -u pgbouncer -n 20", says="connection from app1")
    day.run(AGENT, INFRA, "ssh app1 systemctl is-active api", 3, "failed")
    day.run(AGENT, INFRA, "ssh app1 journalctl -u api -n 40", says="panicked at 'pool empty'")
    day.run(AGENT, INFRA, "ssh app1 sudo systemctl restart api")
    day.run(AGENT, INFRA, "ssh app1 systemctl is-active api", says="active")
    day.run(AGENT, INFRA, "ssh app2 systemctl is-active api", says="active")
    day.run(AGENT, INFRA, "ssh db2 uptime", says=" 09:31 up 2 min")
    day.run(
        AGENT, INFRA, "scp db1:/var/backups/last.sql.gz /tmp/", 1, "scp: No such file", lasts_s=1.1
    )
    day.run(
        AGENT,
        INFRA,
        "ssh db1 ls /var/backups | grep sql",
        says="20261123.sql.gz",
        pipestatus=(0, 0),
    )
    day.run(AGENT, INFRA, "scp db1:/var/backups/20261123.sql.gz /tmp/", lasts_s=38.0)
    day.run(AGENT, INFRA, "zcat /tmp/20261123.sql.gz | grep -c COPY", says="41", pipestatus=(0, 0))
    day.run(
        AGENT, INFRA, "zcat /tmp/20261123.sql.gz | grep -m1 tenants", says="COPY tenants",
        pipestatus=(141, 0),
    )  # fmt: skip


def infrastructure(day: Day) -> None:
    plan = "terraform plan -out next.plan"
    day.run(AGENT, INFRA, "terraform init", says="Terraform has been successfully initialized!")
    day.run(AGENT, INFRA, plan, 1, 'Error: Reference to undeclared resource "aws_eip.nat"')
    day.run(AGENT, INFRA, "grep -rn aws_eip .", says="./nat.tf:3:resource aws_eip gateway")
    day.run(AGENT, INFRA, "sed -i s/aws_eip.nat/aws_eip.gateway/ main.tf")
    day.run(AGENT, INFRA, plan, says="Plan: 1 to add, 0 to change, 0 to destroy.")
    day.run(
        AGENT, INFRA, "terraform show -no-color next.plan | grep -i destroy", 1, pipestatus=(0, 1)
    )
    day.run(
        AGENT,
        INFRA,
        "terraform show -json next.plan | jq .resource_changes[0].type",
        says='"aws_eip"',
    )
    day.run(AGENT, INFRA, "terraform apply next.plan", says="Apply complete! 1 added")
    day.run(
        AGENT, INFRA, "ansible-playbook -i hosts site.yml --chek", 2,
        "usage: ansible-playbook [-h]\nansible-playbook: error: unrecognized arguments: --chek",
        lasts_s=1.2,
    )  # fmt: skip
    day.run(
        AGENT,
        INFRA,
        "ansible-playbook -i hosts site.yml --check",
        4,
        "db2: UNREACHABLE",
        lasts_s=40.0,
    )
    day.run(
        AGENT, INFRA, "ansible-playbook -i hosts site.yml --check", says="failed=0 unreachable=0"
    )
    day.run(AGENT, INFRA, "ansible-playbook -i hosts site.yml", says="changed=4 failed=0")
    day.run(
        AGENT,
        INFRA,
        "ansible-playbook -i hosts site.yml 2>&1 | tail -4",
        says="changed=0 failed=0",
        pipestatus=(0, 0),
    )
    day.run(
        AGENT,
        INFRA,
        "ansible-lint 2>&1 | tail -5",
        says="3 failure(s), 0 warning(s)",
        pipestatus=(2, 0),
    )
    day.run(AGENT, INFRA, "ansible-lint", 2, "site.yml:12 name[missing]", lasts_s=6.0)
    day.run(AGENT, INFRA, "ansible-lint", says="Passed", lasts_s=6.0)
    commit(day, AGENT, INFRA, "Name the gateway")


def commit(day: Day, who: Who, cwd: str, message: str) -> None:
    day.run(who, cwd, "git status --short", says=" M main")
    day.run(who, cwd, "git add -A")
    day.run(who, cwd, f"git commit -q -m '{message}'")
    day.run(who, cwd, "git push -q")


def service(day: Day) -> None:
    panicked = "error[E0308]: mismatched types\n --> crates/pool/src/lib.rs:41:9"
    day.run(SECOND_AGENT, API, "git status --short", says="")
    day.run(
        SECOND_AGENT, API, "rg -n 'pool empty' crates", says="crates/pool/src/lib.rs:88: panic!"
    )
    day.run(SECOND_AGENT, API, "rg -n try_take crates", 1)
    day.run(SECOND_AGENT, API, "sed -n 70,110p crates/pool/src/lib.rs", says="…")
    for exit_status in (101, 101, 0):
        day.edit(30.0)
        day.run(SECOND_AGENT, API, "cargo check", exit_status, panicked if exit_status else "")
    for exit_status in (101, 101, 101, 101, 0):
        day.edit(60.0)
        day.run(SECOND_AGENT, API, "cargo test -p pool", exit_status, "test waits ... FAILED")
    day.run(
        SECOND_AGENT,
        API,
        "cargo test 2>&1 | tail -15",
        says="1 failed; 97 passed",
        pipestatus=(101, 0),
    )
    day.run(
        SECOND_AGENT,
        API,
        "cargo test 2>&1 | grep -A5 FAILED",
        says="test api::times_out ... FAILED",
        pipestatus=(101, 0),
    )
    day.run(SECOND_AGENT, API, "cargo test 2>&1 | tail -15", says="98 passed", pipestatus=(0, 0))
    day.run(SECOND_AGENT, API, "cargo clippy -- -D warnings", 101, "error: needless borrow")
    day.run(SECOND_AGENT, API, "cargo clippy -- -D warnings")
    day.run(SECOND_AGENT, API, "cargo fmt --check", 1, "Diff in crates/pool/src/lib.rs")
    day.run(SECOND_AGENT, API, "cargo fmt")
    commit(day, SECOND_AGENT, API, "Wait for a free connection")
    day.run(SECOND_AGENT, API, "cargo build --release", says="Finished release")
    day.kill(SECOND_AGENT, API, "./target/release/api --listen 8080", 25.0, "listening on 8080")
    day.run(SECOND_AGENT, API, "curl -s localhost:8080/health", 7)
    day.kill(SECOND_AGENT, API, "./target/release/api --listen 8080", 61.0, "listening on 8080")
    day.run(SECOND_AGENT, API, "curl -s localhost:8080/health", says="ok")
    day.run(
        SECOND_AGENT,
        API,
        "curl -s localhost:8080/metrics | grep pool_",
        says="pool_free 9",
        pipestatus=(0, 0),
    )
    day.run(
        SECOND_AGENT, API, "curl -s localhost:8080/metrics | grep pool_waits", 1, pipestatus=(0, 1)
    )
    day.time_out(SECOND_AGENT, API, "./load --clients 500", 120.0, "warming up")
    day.run(SECOND_AGENT, API, "./load --clients 50", says="p99 41 ms", lasts_s=64.0)
    day.run(SECOND_AGENT, API, "./load --clients 200", says="p99 77 ms", lasts_s=66.0)
    day.run(SECOND_AGENT, API, "./load --clients 500", 1, "too many open files", lasts_s=4.0)
    day.run(
        SECOND_AGENT, API, "ulimit -n 8192; ./load --clients 500", says="p99 190 ms", lasts_s=68.0
    )
    day.run(
        SECOND_AGENT, API, "docker build -t api .", 1, "failed to solve: cargo build", lasts_s=80.0
    )
    day.run(SECOND_AGENT, API, "docker build -t api .", says="naming to api")
    day.run(SECOND_AGENT, API, "docker compose up -d", says="Container api Started")
    day.run(SECOND_AGENT, API, "docker compose logs api | grep -i error", 1, pipestatus=(0, 1))
    day.run(SECOND_AGENT, API, "docker compose down")


def documents(day: Day) -> None:
    day.run(EDITOR, DOCS, "pip install -r requirements.txt", says="Successfully installed")
    day.run(
        EDITOR, DOCS, "make html", 2, "WARNING: toctree has a reference\nmake: *** [html] Error 1"
    )
    day.run(EDITOR, DOCS, "make html", says="build succeeded.")
    day.run(EDITOR, DOCS, "make html", says="build succeeded.", again=True)
    day.run(EDITOR, DOCS, "make linkcheck", 2, "broken: https://old.example", lasts_s=71.0)
    day.run(EDITOR, DOCS, "make linkcheck", says="build finished", lasts_s=64.0)
    day.run(EDITOR, DOCS, "diff -r build/html /srv/docs", 1, "Only in build/html: pool.html")
    day.run(
        EDITOR,
        DOCS,
        "rsync -a build/html/ www:/srv/docs/",
        23,
        "rsync: mkstemp failed: Permission denied (13)",
    )
    day.run(EDITOR, DOCS, "rsync -a build/html/ deploy@www:/srv/docs/", says="")
    day.run(
        EDITOR,
        DOCS,
        "curl -sI https://docs.example | head -1",
        says="HTTP/2 200",
        pipestatus=(0, 0),
    )
    for word in ("pool", "drain", "deprecated"):
        day.run(
            EDITOR,
            DOCS,
            f"grep -rn {word} source",
            1 if word == "drain" else 0,
            "" if word == "drain" else "source/a.md:3",
        )


def scratch(day: Day) -> None:
    usage = "tar: unrecognized option '--strip'\nTry 'tar --help' or 'tar --usage' for more information."
    url = "https://example.org/tenants-2026.tar.zst"
    day.run(
        TERMINAL, SCRATCH, f"wget {url}", 4, "wget: unable to resolve host address", lasts_s=2.0
    )
    day.run(TERMINAL, SCRATCH, f"wget {url}", says="saved", lasts_s=94.0)
    day.run(TERMINAL, SCRATCH, "tar --strip 1 -xf tenants-2026.tar.zst", 64, usage)
    day.run(TERMINAL, SCRATCH, "tar --strip=1 -xf tenants-2026.tar.zst", 64, usage)
    day.run(TERMINAL, SCRATCH, "tar -xf tenants-2026.tar.zst", lasts_s=12.0)
    day.run(TERMINAL, SCRATCH, "wc -l tenants.csv", says="41207 tenants.csv")
    day.run(
        TERMINAL,
        SCRATCH,
        "cut -d, -f3 tenants.csv | sort | uniq -c | sort -rn | head -5",
        says="9001 eu",
        pipestatus=(0, 0, 0, 141, 0),
    )
    day.run(
        TERMINAL,
        SCRATCH,
        "cut -d, -f9 tenants.cvs | sort -u | wc -l",
        says="0",
        pipestatus=(1, 0, 0),
    )
    day.run(
        TERMINAL,
        SCRATCH,
        "cut -d, -f9 tenants.csv | sort -u | wc -l",
        says="14",
        pipestatus=(0, 0, 0),
    )
    day.run(TERMINAL, SCRATCH, "python3 count.py tenants.csv", 1, "KeyError: 'region'")
    day.run(TERMINAL, SCRATCH, "python3 count.py tenants.csv", 1, "KeyError: 'Region'")
    day.run(TERMINAL, SCRATCH, "python3 count.py tenants.csv", says="eu 9001")
    day.run(
        TERMINAL,
        SCRATCH,
        "pyhton3 count.py tenants.csv > out",
        127,
        "zsh: command not found: pyhton3",
    )
    day.run(TERMINAL, SCRATCH, "python3 count.py tenants.csv > out")
    day.run(TERMINAL, SCRATCH, "cmp out out.old", 1, "out out.old differ: byte 14, line 2")
    day.run(TERMINAL, SCRATCH, "[ -s out ] && gzip out")
    day.run(TERMINAL, SCRATCH, "./send.sh out.gz", 126, "zsh: permission denied: ./send.sh")
    day.run(TERMINAL, SCRATCH, "sh send.sh out.gz", says="sent", lasts_s=7.0)


def afternoon(day: Day) -> None:
    """Small rounds of the agents, each in one of the projects."""
    rounds: Sequence[tuple[str, str, str, Sequence[int]]] = (
        (API, "cargo test", "crates/http/src/lib.rs", (101, 0)),
        (INFRA, "terraform plan", "dns.tf", (1, 1, 0)),
        (API, "cargo test", "crates/http/src/route.rs", (0,)),
        (DOCS, "make html", "source/http.md", (0,)),
        (API, "cargo test", "crates/http/src/body.rs", (101, 101, 101, 0)),
        (INFRA, "terraform plan", "mail.tf", (0,)),
        (API, "cargo test", "crates/pool/src/lib.rs", (0,)),
        (DOCS, "make html", "source/pool.md", (2, 0)),
        (INFRA, "make lint", "mail.tf", (2, 2, 0)),
        (API, "cargo clippy -- -D warnings", "crates/http/src/lib.rs", (101, 0)),
        (API, "cargo test -p http", "crates/http/src/form.rs", (101, 101, 0)),
        (INFRA, "ansible-lint", "roles/api/tasks/main.yml", (0,)),
        (DOCS, "make linkcheck", "source/index.md", (2, 2, 2, 0)),
        (API, "cargo test", "crates/http/src/form.rs", (101, 0)),
        (INFRA, "terraform plan", "main.tf", (0,)),
        (API, "cargo test", "crates/pool/src/queue.rs", (101, 101, 0)),
    )
    for number, (cwd, check, file, exits) in enumerate(rounds, 1):
        who = AGENT if cwd == INFRA else SECOND_AGENT
        day.pause(700.0)
        day.run(who, cwd, "git pull -q")
        day.run(who, cwd, f"git switch -qc round-{number}")
        day.run(who, cwd, f"cat {file}", says="…")
        day.run(
            who,
            cwd,
            f"rg -n part{number} .",
            0 if number % 3 else 1,
            f"{file}:4" if number % 3 else "",
        )
        for exit_status in exits:
            day.edit(45.0)
            day.run(who, cwd, check, exit_status, "1 error" if exit_status else "no errors")
        commit(day, who, cwd, f"Round {number}")
    wait = "kubectl rollout status deploy/api --timeout 300s"
    day.run(AGENT, INFRA, wait, says="successfully rolled out", lasts_s=75.0)
    day.kill(AGENT, INFRA, wait, 110.0, "Waiting for 1 of 3 new replicas")
    day.run(
        AGENT,
        INFRA,
        "kubectl get pods | grep api",
        says="api-7f ImagePullBackOff",
        pipestatus=(0, 0),
    )
    day.run(
        AGENT,
        INFRA,
        "kubectl describe pod api-7f | tail -8",
        says="Failed to pull image",
        pipestatus=(0, 0),
    )
    day.run(AGENT, INFRA, wait, says="successfully rolled out", lasts_s=48.0)
    day.run(AGENT, INFRA, wait, says="successfully rolled out", lasts_s=66.0)
    day.kill(AGENT, INFRA, wait, 140.0, "Waiting for 2 of 3 new replicas")
    day.run(
        AGENT, INFRA, "kubectl get events | tail -3", says="FailedScheduling", pipestatus=(0, 0)
    )
    day.run(AGENT, INFRA, wait, 1, "error: timed out waiting for the condition", lasts_s=300.0)
    day.run(AGENT, INFRA, wait, says="successfully rolled out", lasts_s=52.0)
    day.run(TERMINAL, API, "cargo test", says="101 passed")
    day.run(TERMINAL, API, "cargo build --release", says="Finished release")
    day.run(TERMINAL, API, "git tag v4.2 && git push --tags", says="v4.2 -> v4.2")


def whole_day() -> Day:
    """The day from eight in the morning."""
    day = Day(SEED, LAWS)
    for part in (morning, servers, infrastructure, service, documents, scratch, afternoon):
        part(day)
    return day


def lines() -> Iterator[str]:
    """The day as JSON, one run a line."""
    for run in whole_day().runs:
        yield json.dumps(run, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines())
