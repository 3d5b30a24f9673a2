# SPDX-License-Identifier: Apache-2.0
"""Checks libascendcl.so: it exports every declared function, only acl* names, and needs no library
beyond those of the C++ language and the system."""

import pathlib
import re
import subprocess
import sys

ALLOWED_LIBRARIES = re.compile(
    r"lib(stdc\+\+|c\+\+|m|gcc_s|c|pthread|dl|rt|asan|ubsan|tsan|hwy)\.so|ld-linux")


def exported(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                         check=True).stdout
    return {line.split()[-1] for line in out.splitlines()}


def declared(folder):
    names = set()
    for header in pathlib.Path(folder).rglob("*.h"):
        names |= set(re.findall(r"^(?:ACL_DEPRECATED )?ACL_FUNC_VISIBILITY .*?(acl\w+)\(",
                                header.read_text(), re.MULTILINE))
    return names


def needed(library):
    out = subprocess.run(["readelf", "-d", library], capture_output=True, text=True,
                         check=True).stdout
    return re.findall(r"NEEDED.*\[(.*)\]", out)


def main():
    library, headers = sys.argv[1:]
    symbols, functions = exported(library), declared(headers)
    problems = [f"declared but not exported: {name}" for name in sorted(functions - symbols)]
    problems += [f"foreign symbol: {name}" for name in sorted(symbols) if not name.startswith("acl")]
    problems += [f"library not allowed: {name}" for name in needed(library)
                 if not ALLOWED_LIBRARIES.match(name)]
    if len(functions) < 500:
        problems.append(f"only {len(functions)} declarations found in {headers}")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
