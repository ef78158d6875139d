"""A team's load on one PostgreSQL, through PgBouncer in transaction mode.

    python -m tests.bench team [--agents 8] [--runs 100000]

Agents are processes on this machine, beside the server, so the figures are a lower bound. Each agent's
runs are of 300 templates in 5 projects, by Zipf's law, with log-normal durations; one in ten fails, one
in twenty is killed. It says batches a second, bytes a run, the time of a pull, and the size on disk.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import pwd
import random
import subprocess
import threading
import time
from pathlib import Path

from tests.team.postgres import USER, Server, database, free_port
from zsh_ls.alan.store.team import given_of, summed
from zsh_ls.model.histogram import code_of
from zsh_ls.model.team import Batch
from zsh_ls.model.words import Outcome
from zsh_ls.team.client import connected
from zsh_ls.team.keys import TeamKeys

KEYS = TeamKeys("a-secret-for-the-benchmark")
TEMPLATES, PROJECTS, RUNS_A_BATCH = 300, 5, 500
SEED = 26
HOURS_S = 3600.0
POOLER = "/usr/sbin/pgbouncer"


def batches(agent: int, runs: int) -> list[Batch]:
    numbers = random.Random(SEED + agent)
    weights = [1 / rank for rank in range(1, TEMPLATES + 1)]
    made = []
    for upto in range(1, runs // RUNS_A_BATCH + 1):
        given, texts = [], {}
        for rank in numbers.choices(range(TEMPLATES), weights, k=RUNS_A_BATCH):
            drawn = numbers.random()
            outcome = (
                Outcome.KILLED
                if drawn < 0.05
                else Outcome.FAILURE
                if drawn < 0.15
                else Outcome.SUCCESS
            )
            duration_ms = round(1000 * (1 + rank % 17) * numbers.lognormvariate(0, 0.4))
            kind = {Outcome.SUCCESS: 0, Outcome.FAILURE: 1, Outcome.KILLED: 3}[outcome]
            project = KEYS.hashes.project_hash(f"host/team/{rank % PROJECTS}")
            text = f"make target-{rank} *"
            template = KEYS.hashes.template_hash(text)
            texts[template] = text
            given.append(given_of(project, template, kind, code_of(duration_ms, outcome)))
        rows = [it.row(KEYS.sealed(texts[it.template])) for it in summed(given)]
        made.append(Batch(f"{agent:08x}{upto:024x}", upto, RUNS_A_BATCH, {"add": rows}))
    return made


def one_agent(
    agent: int,
    dsn: str,
    runs: int,
    are_made: threading.Barrier,
    results: multiprocessing.Queue[list[float]],
) -> None:
    took = []
    mine = batches(agent, runs)
    are_made.wait()
    with connected(dsn, KEYS, f"{agent + 1:032x}", HOURS_S) as client:
        for batch in mine:
            began = time.perf_counter()
            assert client.push(batch).applied
            took.append(time.perf_counter() - began)
    results.put(took)


def start_pooler(server: Server, folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    port = free_port()
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"""[databases]
* = user=me host={server.folder} port={server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = 4
"""
    )
    settings.chmod(0o644)
    user = pwd.getpwnam(USER) if os.geteuid() == 0 else None
    process = subprocess.Popen(
        [POOLER, settings],
        stderr=subprocess.DEVNULL,
        **({} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}),
    )
    return process, port


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench team")
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--runs", type=int, default=100_000, help="of each agent")
    asked = parser.parse_args(arguments)
    server = Server(fsync="on", full_page_writes="on", shared_buffers="256MB")
    pooler, port = start_pooler(server, server.folder)
    try:
        with database(server) as name:
            measure(server, name, server.dsn(name, port=port), asked.agents, asked.runs)
    finally:
        pooler.terminate()
        pooler.wait()
        server.close()


def measure(server: Server, name: str, dsn: str, agents: int, runs: int) -> None:
    results: multiprocessing.Queue[list[float]] = multiprocessing.Queue()
    sample = batches(0, 20 * RUNS_A_BATCH)
    sent = sum(len(json.dumps(it.rows)) for it in sample) / (20 * RUNS_A_BATCH)
    are_made = multiprocessing.Barrier(agents + 1)
    work = [
        multiprocessing.Process(target=one_agent, args=(at, dsn, runs, are_made, results))
        for at in range(agents)
    ]
    for process in work:
        process.start()
    are_made.wait()
    began = time.perf_counter()
    took = sorted(it for _ in work for it in results.get())
    elapsed = time.perf_counter() - began
    for process in work:
        process.join()
    print(f"{agents} agents, {runs:,} runs each: {len(took):,} batches in {elapsed:.1f} s")
    print(
        f"  {len(took) / elapsed:.1f} batches/s, {len(took) * RUNS_A_BATCH / elapsed:,.0f} runs/s"
    )
    middle, late = took[len(took) // 2], took[int(0.99 * len(took))]
    print(f"  a batch of {RUNS_A_BATCH}: p50 {1000 * middle:.1f} ms, p99 {1000 * late:.1f} ms")
    print(f"  {sent:.1f} bytes of JSON a run")
    projects = [KEYS.hashes.project_hash(f"host/team/{at}") for at in range(PROJECTS)]
    with connected(dsn, KEYS, "f" * 32, HOURS_S) as client:
        for asked in (projects[:1], projects):
            began = time.perf_counter()
            since, more, rows = (0, 0), True, 0
            while more:
                page = client.pull(since, asked)
                since, more, rows = page.next, page.more, rows + len(page.figures)
            elapsed = time.perf_counter() - began
            print(f"  first pull of {len(asked)} projects: {rows} figures, {1000 * elapsed:.0f} ms")
        began = time.perf_counter()
        client.pull(since, projects)
        print(f"  pull of nothing new: {1000 * (time.perf_counter() - began):.1f} ms")
    with server.connect(name) as admin:
        total = admin.execute(
            "SELECT sum(succeeded + failed + killed) FROM zsh_ls.figure"
        ).fetchone()
        assert total == (len(took) * RUNS_A_BATCH,), total
        written = admin.execute("SELECT pg_database_size(current_database())").fetchone()
        admin.execute("VACUUM FULL")
        sizes = admin.execute(
            """SELECT relname, pg_total_relation_size(oid), reltuples FROM pg_class
            WHERE relnamespace = 'zsh_ls'::regnamespace AND relkind = 'r' ORDER BY 2 DESC"""
        ).fetchall()
        assert written is not None
        print(f"  the database: {written[0] / 2**20:.1f} MiB as written; after VACUUM FULL:")
        for table, size, count in sizes:
            each = size / count if count > 0 else 0
            print(
                f"    {table:<15} {size / 2**20:7.2f} MiB, {count:,.0f} rows, {each:,.0f} bytes a row"
            )
