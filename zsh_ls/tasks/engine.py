"""The engine: starts tasks, keeps ended ones for a while, and ends all of them when it closes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from zsh_ls.model.clock import Clock

from .output import stored_output
from .output.output import Output
from .output.spool import Spool, SpoolLimits
from .process import processes
from .process.environment import Inherited
from .process.exit_reports import Reports
from .process.launch import launch, set_cloexec
from .process.request import StartRequest
from .supervision import held_ends, process_tags, supervisor
from .supervision.ender import PATIENCE_S, Ender
from .supervision.kill import Marks, finder
from .supervision.signals import restore_child_dispositions
from .task import Task, TaskContext

KEPT_S = 3600.0
KEPT_TASKS = 100
# Outputs are written after the answer has been sent, so that no client waits for the disk.
KEEP_AFTER_S = 0.02
# Outputs the disk refused are written again after KEEP_AGAIN_S; together they hold at most this memory.
KEEP_AGAIN_S = 10.0
REFUSED_BYTES = 64 << 20
# How often orphans of tasks are reaped, while there are any or a task runs.
REAP_EVERY_S = 1.0
log = logging.getLogger(__name__)


class Engine:
    """Starts commands, and keeps each until it ended over an hour and a hundred tasks ago.

    `spool_root` is the folder of kept outputs, shared with other processes of
    the user. Use it from the thread of one event loop.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        spool_root: Path,
        kill_grace_s: float = 2.0,
        limits: SpoolLimits | None = None,
        one_task: bool = False,
    ) -> None:
        self._clock = clock
        self._spool_root = spool_root
        self._limits = limits or SpoolLimits()
        self._tasks: dict[str, Task] = {}
        self._running: dict[int, Task] = {}
        self._ended: deque[Task] = deque()
        self.reports = Reports()
        self._adoption = process_tags.Adoption()
        set_cloexec()
        restore_child_dispositions()
        self._tags = process_tags.ProcessTags()
        self._inherited = Inherited()
        self._loop = asyncio.get_running_loop()
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="zsh-ls-disk")
        # Start the thread now: tasks must still be able to end when no new thread can be started.
        self._disk.submit(int)
        self._ender = Ender()
        self._arrivals = process_tags.Arrivals(self._tags.is_tag, self._running)
        self._context = TaskContext(
            clock=clock,
            take_report=self.reports.take,
            dumps_of=self.reports.dumps,
            on_end=self._on_end,
            on_last_words=self._keep_soon,
            ender=self._ender,
            arrivals=self._arrivals,
            kill_grace_s=kill_grace_s,
        )
        self._retention = stored_output.Retention(spool_root, one_task=one_task)
        self._unkept: list[Task] = []
        self._keep_timer: asyncio.TimerHandle | None = None
        self._retry_timer: asyncio.TimerHandle | None = None
        self._reap_timer: asyncio.TimerHandle | None = None
        self._launching = asyncio.Lock()
        self._turn_taken = False
        self._tags_taken = self._tags_in_use()
        self.disk_problem: str | None = None
        self.on_forgotten: Callable[[str], None] = lambda _: None
        """Called with the id of each task that is kept no longer."""
        self._refused: list[Task] = []
        self._storing: set[asyncio.Future[None]] = set()
        self._closing = False

    async def start(self, request: StartRequest) -> Task:
        """Start a command; one whose shell cannot be started gives a task with status ERROR."""
        while (task_id := os.urandom(4).hex()) in self._tasks:
            pass
        spool = Spool(self._spool_root / task_id, self._limits, own=stored_output.own)
        task = Task(task_id, request, Output(spool, clock=self._clock), self._context)
        async with self._launching:
            if self._turn_taken:
                # Starting a shell blocks the loop: let other callbacks run between several starts.
                await asyncio.sleep(0)
            self._turn_taken = True
            self._loop.call_soon(self._end_turn)
            self._forget_old()
            self._tasks[task_id] = task
            self._launch(task)
        return task

    def _end_turn(self) -> None:
        """Find out, while the shell works, which tags the next one must not get.

        An orphan that this process adopts later is one of a task that runs now, whose tag is taken.
        """
        self._turn_taken = False
        self._tags_taken = self._tags_in_use()

    def _launch(self, task: Task) -> None:
        report = self.reports.prefix(task.task_id)
        self._arrivals.is_starting = True
        try:
            with self._tags.tagging(self._tags_taken) as task.tag:
                supervisor.expect(task.task_id, task.tag)
                launched = launch(task.request, task.task_id, report, self._inherited)
            self._running[launched.process.pid] = task
        except (OSError, ValueError) as error:
            task.fail(f"{task.request.shell_path}: {getattr(error, 'strerror', None) or error}")
            return
        finally:
            self._arrivals.is_starting = False
        if self._reap_timer is None:
            self._reap_timer = self._loop.call_later(REAP_EVERY_S, self._reap)
        for descriptor in {launched.output, *(ours for ours, _ in launched.relayed)} - {-1}:
            held_ends.hold(descriptor)
        task.attach(launched)
        supervisor.register(launched.process.pid, task.task_id, task.tag)

    def get(self, task_id: str) -> Task | None:
        """The task, running or kept."""
        return self._tasks.get(task_id)

    def all(self) -> list[Task]:
        """Running and kept tasks, oldest first."""
        return list(self._tasks.values())

    async def close(self, grace_s: float = 0.3) -> None:
        """End all tasks with every process of theirs; those that run get the status KILLED."""
        self._closing = True
        if self._reap_timer is not None:
            self._reap_timer.cancel()
        running = list(self._running.values())
        for task in running:
            task.mark_killed()
        if not process_tags.LISTS_CHILDREN or supervisor.children_of_tasks():
            try:
                ending = self._ender.end(
                    finder(self._marks),
                    grace_s,
                    process_tags.NewcomersOf(self._arrivals, lambda: self._marks().tags),
                    [shell for task in running if (shell := task.shell())],
                    lambda: self._marks().leaders,
                )
                await asyncio.wrap_future(ending)
            except Exception as fault:  # it has killed what it knew, as when out of descriptors
                log.error("not all processes of tasks could be ended", exc_info=fault)
        for task in running:
            await task.wait_end_at_most(PATIENCE_S)
        for task in self._tasks.values():
            task.release()
        self._keep_now()
        await asyncio.gather(*self._storing, return_exceptions=True)
        self._disk.shutdown(wait=False)
        self._ender.close()
        for task in self._tasks.values():
            task.output.spool.close()
        self.reports.remove()
        self._adopted()
        self._adoption.end()

    def _marks(self) -> Marks:
        return Marks.union(task.marks() for task in list(self._tasks.values()))

    def _tags_in_use(self) -> set[int]:
        """The tags of running tasks, and of orphans that ended tasks left below this process."""
        left = {tag for pid in self._adopted() if (tag := process_tags.tag_of(pid))}
        return left | {task.tag for task in self._running.values() if task.tag is not None}

    def _reap(self) -> None:
        self._reap_timer = None
        try:
            for task in list(self._running.values()):
                task.end_if_overdue()
            self._note_running()
            goes_on = bool(self._adopted() or self._running)
        except Exception as fault:
            log.error("orphans were not reaped this time", exc_info=fault)
            goes_on = True
        if goes_on and not self._closing:
            self._reap_timer = self._loop.call_later(REAP_EVERY_S, self._reap)

    def _note_running(self) -> None:
        """Have what runs written down, for the lists of others should this process be killed."""
        running = [it for it in self._running.values() if not it.ended]
        if running and not self._closing:
            self._loop.run_in_executor(self._disk, self._note_all, running)

    def _note_all(self, running: list[Task]) -> None:
        for task in running:
            folder = self._spool_root / task.task_id
            # A disk that refuses it costs an entry of the list that nobody will need, most likely.
            with contextlib.suppress(OSError):
                if task.is_noted:
                    stored_output.note_alive(folder)
                else:
                    stored_output.note_begun(folder, _to_store(task))
                    task.is_noted = True
                task.output.spool.persist()

    def _adopted(self) -> list[int]:
        """The ids of orphans of tasks that this process has adopted; dead ones are reaped."""
        adopted = [pid for pid in process_tags.children() if pid not in self._running]
        for pid in adopted:
            if processes.is_zombie(pid) and self._tags.is_tag(process_tags.tag_of(pid)):
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
        return adopted

    def _on_end(self, task: Task) -> None:
        """Write its output to disk soon, after those who wait for the task have been woken."""
        for pid in [pid for pid, other in self._running.items() if other is task]:
            del self._running[pid]
            supervisor.reaped(pid)
        self._ended.append(task)
        self._keep_soon(task)

    def _keep_soon(self, task: Task) -> None:
        self._unkept.append(task)
        if self._keep_timer is None:
            self._keep_timer = self._loop.call_later(KEEP_AFTER_S, self._keep_now)

    def _keep_now(self) -> None:
        for timer in (self._keep_timer, self._retry_timer):
            if timer is not None:
                timer.cancel()
        self._keep_timer = self._retry_timer = None
        tasks, self._unkept = self._unkept, []
        storing = self._loop.run_in_executor(self._disk, self._keep_all, tasks)
        self._storing.add(storing)
        storing.add_done_callback(self._on_stored)

    def _on_stored(self, storing: asyncio.Future[None]) -> None:
        """Schedule another attempt for what the disk has refused."""
        self._storing.discard(storing)
        if self._refused and self._retry_timer is None and not self._closing:
            self._retry_timer = self._loop.call_later(KEEP_AGAIN_S, self._keep_now)

    async def keep_ended(self) -> None:
        """Write the outputs of the ended tasks to disk, and wait until it has them or refuses."""
        if self._unkept:
            self._keep_now()
        await asyncio.gather(*self._storing, return_exceptions=True)

    def _keep_all(self, tasks: list[Task]) -> None:
        waiting, self._refused = [*self._refused, *tasks], []
        problem = None
        for task in dict.fromkeys(waiting):
            try:
                self._keep(task)
                refused = task.output.spool.failure
            except Exception as fault:  # the outputs of the other tasks must still be kept
                refused = (
                    fault if isinstance(fault, OSError) else OSError(None, type(fault).__name__)
                )
                self._refused.append(task)
            problem = problem or refused
        if waiting:
            self._report_disk(problem)
        self._shed(problem)

    def _report_disk(self, problem: OSError | None) -> None:
        """Set `disk_problem`, and log it once for as long as it stays the same."""
        before = self.disk_problem
        self.disk_problem = None
        if problem is not None:
            reason = problem.strerror or str(problem)
            self.disk_problem = f"{self._spool_root}: outputs cannot be kept: {reason}"
        if self.disk_problem is not None and self.disk_problem != before:
            log.warning("%s", self.disk_problem)

    def _shed(self, problem: OSError | None) -> None:
        """Bound the memory held by outputs that cannot be written, freeing the oldest first."""
        if problem is None:
            return
        held = [task for task in list(self._tasks.values()) if task.ended]
        too_much = sum(task.output.spool.memory_bytes for task in held) - REFUSED_BYTES
        for task in held:
            if too_much <= 0:
                return
            before = task.output.spool.memory_bytes
            task.output.spool.shed(problem)
            too_much -= before - task.output.spool.memory_bytes

    def _keep(self, task: Task) -> None:
        """Write the task and its output to disk; raises what prevents it."""
        stored_output.store_output(self._spool_root / task.task_id, _to_store(task), task.output)
        if task.is_silent_for_good:
            task.output.spool.rest()
        self._retention.added(self._spool_root / task.task_id, task.output.size_bytes)

    def _forget_old(self) -> None:
        """Drop tasks that ended over an hour ago and are not among the last hundred.

        A task whose background processes still print is released only when they are silent: nobody
        else would read their output.
        """
        oldest_kept = self._clock.now() - KEPT_S
        while len(self._ended) > KEPT_TASKS and self._ended[0].ended_at < oldest_kept:
            task = self._ended.popleft()
            if task.is_silent_for_good:
                task.release()
                task.output.spool.close()
                del self._tasks[task.task_id]
                self.on_forgotten(task.task_id)


def _to_store(task: Task) -> stored_output.StoredTask:
    request = task.request
    return stored_output.StoredTask(
        task_id=task.task_id,
        label=request.label(),
        shell=request.shell,
        cwd=request.cwd,
        workspace=request.workspace,
        origin=request.origin,
        status=task.status,
        exit=task.exit,
        pipestatus=task.pipestatus,
        started_at=task.started_at,
        ended_at=task.ended_at,
        is_pty=request.pty,
    )
