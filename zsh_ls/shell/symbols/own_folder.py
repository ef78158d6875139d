"""Words that name a file by the folder of the script itself: `"$(dirname "$0")/x"`, `${0:A:h}/x`, `$here/x`.

They are read as a shell would expand them at the start of the script, without running anything.
"""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.lazy import re

# Ways to write the script itself, and the folder it is in.
ITSELF = r'"?\$(?:0|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\}|\{0\}|\{\(%\):-%[xN]\})"?'
FOLDER = rf"""(?:
    \$\{{0(?::[aAP])?:h\}} | \$0(?::[aAP])?:h(?![\w:]) | \$\{{\$\{{\(%\):-%[xN]\}}(?::[aAP])?:h\}}
    | \$\{{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}}
    | \$\(\s*dirname\s+(?:--\s+)?
        (?:{ITSELF} | "?\$\(\s*(?:readlink\s+-f|realpath)\s+(?:--\s+)?{ITSELF}\s*\)"?)\s*\)
    )"""
STARTS = ("$0", "${0", "BASH_SOURCE", "(%)")
OWN_FOLDER = re.compile(FOLDER, re.VERBOSE)
# A variable that holds that folder, or one at a fixed place from there.
FOLDER_VARIABLE = re.compile(
    rf"""^[ \t]*(?:(?:readonly|export|local|typeset|declare)\s+(?:-\w+\s+)*)?
    (?P<name>\w+)="?(?:
        (?P<plain>{FOLDER}(?:/[\w./-]*)?)
        | \$\(\s*(?:builtin\s+)?cd\s+(?:-P\s+)?(?:--\s+)?"?(?P<entered>{FOLDER}(?:/[\w./-]*)?)"?
            \s*(?:&?>+\s*/dev/null\s*(?:2>&1\s*)?)?(?:&&|;)\s*pwd(?:\s+-P)?\s*\)
    )"?[ \t]*(?:\#.*)?$""",
    re.VERBOSE | re.MULTILINE,
)
CONSTANT = re.compile(r"[\w./+@%:,-]+")
NO_VARIABLES: Mapping[str, str] = {}


def folder_variables(text: str) -> dict[str, str]:
    """Variables of a script, assigned once, that hold its own folder (`.`) or one from there."""
    found: dict[str, str] = {}
    # The pattern takes long to compile and to look for, and few scripts have what it begins with.
    if not any(start in text for start in STARTS):
        return found
    for each in FOLDER_VARIABLE.finditer(text):
        assigned = re.findall(rf"(?<![\w$]){each['name']}\+?=", text)
        if len(assigned) == 1:
            found[each["name"]] = OWN_FOLDER.sub(".", each["plain"] or each["entered"])
    return found


def path_of_word(word: str, variables: Mapping[str, str] = NO_VARIABLES) -> str | None:
    """The path, relative to the script's folder or absolute, that a word of a script names.

    `variables` are those that hold its folder. None where the word hangs on more than that.
    """
    # As above.
    is_by_folder = any(start in word for start in STARTS)
    plain = OWN_FOLDER.sub(".", word) if is_by_folder else word
    plain = plain.replace('"', "").replace("'", "")
    if "$" in plain:
        for name, value in variables.items():
            plain = re.sub(rf"\$(?:{name}\b|\{{{name}\}})", value, plain)
    return plain if CONSTANT.fullmatch(plain) else None
