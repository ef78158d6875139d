"""`python -m tests.bench NAME [arguments]`: runs `main(arguments)` of `tests/bench/NAME.py`."""

import importlib
import sys
from pathlib import Path


def names() -> list[str]:
    return sorted(p.stem for p in Path(__file__).parent.glob("*.py") if not p.stem.startswith("_"))


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in names():
        print(f"usage: python -m tests.bench {{{','.join(names())}}} [arguments]", file=sys.stderr)
        return 2
    benchmark = importlib.import_module(f"tests.bench.{sys.argv[1]}")
    return int(benchmark.main(sys.argv[2:]) or 0)


if __name__ == "__main__":
    sys.exit(main())
