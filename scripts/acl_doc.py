#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites the function lists of docs/acl.md from the public headers and src/api/unsupported_*.def.

Usage: acl_doc.py [--check]      --check: exit 1 when the file is not up to date
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOC = ROOT / "docs" / "acl.md"
BEGIN, END = "<!-- functions: begin -->\n", "<!-- functions: end -->\n"
DECLARATION = re.compile(r"^(?:ACL_DEPRECATED )?ACL_FUNC_VISIBILITY .*?\b(acl\w+)\(", re.MULTILINE)


def declared():
    """Returns {header: [functions in order]} for all headers with functions."""
    headers = {}
    for path in sorted((ROOT / "include").rglob("*.h")):
        names = DECLARATION.findall(path.read_text())
        if names:
            headers[str(path.relative_to(ROOT / "include"))] = names
    return headers


def refused():
    """Returns [(group, reason, [functions])] of unsupported_*.def."""
    groups = []
    files = sorted((ROOT / "src" / "api").glob("unsupported_*.def"), reverse=True)
    for line in "\n".join(file.read_text() for file in files).splitlines():
        if line.startswith("// "):
            title = line[3:]
        elif match := re.match(r'#define REASON "(.*)"', line):
            groups.append((title, match[1], []))
        elif match := re.match(r"UNSUPPORTED\w*\((\w+), REASON\)", line):
            groups[-1][2].append(match[1])
    return groups


def code_list(names):
    return ", ".join(f"`{name}`" for name in names)


def lists():
    groups = refused()
    missing = {name for _, _, names in groups for name in names}
    headers = declared()
    available = sum(len(set(names) - missing) for names in headers.values())
    text = [f"## Available functions ({available})\n"]
    for header, names in headers.items():
        names = [name for name in names if name not in missing]
        if names:
            text.append(f"**`{header}`** {code_list(names)}\n")
    text.append(f"## Functions that answer \"not supported\" ({len(missing)})\n")
    for title, reason, names in groups:
        text.append(f"**{title}** — {reason}.\n{code_list(sorted(names))}\n")
    return "\n".join(text)


def main():
    before = DOC.read_text()
    head, rest = before.split(BEGIN)
    after = head + BEGIN + "\n" + lists() + "\n" + END + rest.split(END)[1]
    if sys.argv[1:] == ["--check"]:
        if after != before:
            print(f"{DOC} is out of date: run scripts/acl_doc.py")
        return 0 if after == before else 1
    DOC.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
