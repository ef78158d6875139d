"""Nouns for commands: `the tests` may be `npm test`, `the build` may be `make`."""

from __future__ import annotations

from .words import stem

_NOUNS: dict[str, tuple[str, ...]] = {
    "test": (
        "npm test", "npm run test", "pytest", "python -m pytest", "uv run pytest", "make test",
        "cargo test", "go test", "yarn test", "pnpm test", "npx jest", "npx vitest", "tox",
        "npx playwright test", "ctest", "mvn test", "./gradlew test", "make check", "bundle exec",
    ),
    "build": (
        "npm run build", "make", "cargo build", "go build", "docker build", "yarn build",
        "pnpm build", "cmake --build", "ninja", "mvn package", "./gradlew build", "meson compile",
    ),
    "lint": ("npm run lint", "ruff check", "eslint", "npx eslint", "cargo clippy", "make lint"),
    "deploy": ("npm run deploy", "make deploy", "kubectl apply", "terraform apply", "helm upgrade"),
    "push": ("git push",),
    "pull": ("git pull",),
    "commit": ("git commit",),
    "clone": ("git clone",),
}  # fmt: skip
_ALSO = {"deployment": "deploy", "compile": "build", "compilation": "build", "linter": "lint"}
_BY_STEM = {stem(noun): commands for noun, commands in _NOUNS.items()} | {
    stem(noun): _NOUNS[other] for noun, other in _ALSO.items()
}
_IDLE = {
    stem(word) for word in ("the", "my", "our", "a", "command", "script", "suite", "unit", "run")
}


def commands_called(subject: str) -> tuple[str, ...]:
    """The commands that `subject` may mean: itself, and for a noun such as `tests` its commands."""
    words = [word for word in subject.removesuffix("'s").split() if stem(word) not in _IDLE]
    named = " ".join(words)
    meant = _BY_STEM.get(stem(words[0]), ()) if len(words) == 1 else ()
    return tuple(dict.fromkeys(name for name in (subject, named, *meant) if name))
