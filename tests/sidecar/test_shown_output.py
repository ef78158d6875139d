"""What an ended run shows that depends on all of its output, on its reader, or on the run before."""

from __future__ import annotations

from pathlib import Path

from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar

RUNNER = """
bad=0
for n in $(seq 30); do
  if grep -qx $n broken; then echo "FAIL hinge $n"; bad=$((bad + 1)); else echo "ok hinge $n"; fi
done
echo "30 checks, $bad failed"
exit $bad
"""
LOG = """awk 'BEGIN {
  for (n = 0; n < 120000; n++) print "moved parcel " n " to shelf " n % 77;
  print "the lock of vault 7 hangs";
  for (n = 0; n < 120000; n++) print "moved parcel " n " to shelf " n % 77;
}'"""


# VERB-8
async def test_the_one_line_that_differs_is_found_between_the_ends_of_a_huge_output(
    sidecar: Sidecar,
) -> None:
    for command in (LOG, f"{LOG}; exit 3"):
        result = await sidecar.run(RunRequest(command, yield_after=120))
        lines = result.output.splitlines()
        assert "the lock of vault 7 hangs" in lines
        assert result.verbosity is not None
        assert result.verbosity.total_lines == 240_001
        gaps = [int(line.split()[1]) for line in lines if line.startswith("... ")]
        assert sum(gaps) == result.verbosity.omitted_lines
        shown = [line for line in lines if not line.startswith(("[", "... "))]
        assert len(shown) == 240_001 - sum(gaps)


# VERB-9
async def test_a_run_of_tests_says_which_failures_are_new(sidecar: Sidecar, tmp_path: Path) -> None:
    (tmp_path / "hinges.sh").write_text(RUNNER)
    seen = []
    for broken in ("3\n9\n", "3\n9\n", "9\n12\n", "", "9\n"):
        (tmp_path / "broken").write_text(broken)
        result = await sidecar.run(RunRequest("bash hinges.sh", cwd=str(tmp_path), yield_after=60))
        seen.append(result.output.splitlines()[0])
    assert seen == [
        "ok hinge 1",
        "same 2 failures as before",
        "new: hinge 12; gone: hinge 3",
        "[success, exit 0: 30 of 31 lines omitted; ask: show full output]",
        "new: hinge 9",
    ]
