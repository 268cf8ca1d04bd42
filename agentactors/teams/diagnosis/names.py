"""The names in a line of an unknown tool: what is quoted, files, packages, symbols."""

from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = re.compile(r"(?<![\w)])'([^'\s][^'\n]{0,110}?)'(?!\w)|\"([^\"\s][^\"\n]{0,110}?)\"|<([\w./+-]{3,80})>")
_BUILDROOT: Final = re.compile(
    r"^.{0,200}?/(?:BUILDROOT(?:/[\w.+~^-]{1,120}\.(?:x86_64|aarch64|noarch|i\d86|riscv64|ppc64le|s390x|loongarch64))?"
    r"|debian/(?:tmp|[a-z0-9][\w.+-]{1,80}(?=/(?:usr|etc|var|lib)/))|pkg/[\w.+-]{1,80}(?=/(?:usr|etc|var|opt)/)|image-root)/?(?=/)"
)
_FILE: Final = re.compile(
    r"(?<![\w./:-])((?:[\w.+@~-]{0,80}/){0,30}[\w+@~-][\w.+@~-]{0,100}\.[A-Za-z][\w+]{0,9})(?![\w/])(?::\d+)?|(?<![\w:/.-])(/(?:[\w.+@~-]{1,80}/){1,20}[\w.+@~-]{1,100})"
)
_SYMBOL: Final = re.compile(
    r"(?<![\w./:-])([A-Za-z_]\w{0,80}(?:(?:::|\.|->)~?[A-Za-z_]\w{0,80}){1,8}|[A-Za-z_]\w{0,60}_\w{1,60}|[a-z]+[A-Z]\w{1,60}"
    r"|[A-Z][a-z0-9]+[A-Z]\w{1,60}|[a-z][\w+]{1,40}(?:-[\w+.]{1,40}){1,6}|[a-z]{2,20}\d[\w.]{0,20}|[A-Z]{2,8}\d{2,6})(?![\w/])"
)
_URL: Final = re.compile(r"\b(?:https?|ftp|git)://[^\s'\"<>),;]{4,160}")
_REQUIREMENT: Final = re.compile(
    r"(?<![\w(])((?:[\w+.-]{2,60}\([\w:./+-]{1,100}\)|[A-Za-z][\w.+-]{1,80}) ?(?:[<>=~!]=|[<>]) ?\d[\w.:~^-]{0,40})"
)
_SCOPED: Final = re.compile(
    r"(?<!\w)((?:pkgconfig|cmake|perl|python3?dist|golang|crate|npm|rubygem|mvn|ghc-devel|R|tex|font|php-composer)\([\w:./+ -]{1,100}\))"
)
_ABSENT: Final = re.compile(
    r"(?:^|: |\s)([\w./+@-]{2,120}):? (?:command not found|not found|No such file|Permission denied|is not executable|未找到命令|没有那个文件)|(?<!\S)(-l[\w.+-]{1,80})"
)
_TEST: Final = re.compile(
    r"^(?:\d+/\d+ )?(?:(?:FAILED|FAIL|ERROR|--- FAIL|not ok \d+(?: -)?|rspec):? +)(\S[^()]{1,120}?)(?: - | \(| #|  |$)|(\S+\.py::\S+|\w+(?:/\w+)*\.t\b)|(?<![\w.])([Tt]est_?[A-Z_]?\w{2,80})"
)
_FLAG: Final = re.compile(r"(?<!\S)\[?(-W[\w=+-]{3,80}|-f(?:PIC|PIE|no-\w+)|-m[\w=+-]{3,40})\]?")
_PROGRAM: Final = re.compile(
    r"^(?:/\S*/|)(?:ld|ld\.\w+|collect2|cc1|cc1plus|g?make|make\[\d+\]|gcc|g\+\+|clang|sh|bash|/bin/sh|tar|patch|install|cp)(?:\[\d+\])?: +"
)
_COORDINATES: Final = re.compile(
    r"(?<![\w:/.-])([A-Za-z][\w-]{0,60}(?:\.[\w-]{1,60}){1,6}:[\w.-]{2,80}(?::[\w.-]{1,40}){1,3})"
)
_PLAIN: Final = frozenset(
    {
        "error",
        "fatal",
        "warning",
        "failed",
        "build",
        "make",
        "true",
        "false",
        "none",
        "null",
        "all",
        "i.e",
        "e.g",
        "exit-code",
        "non-zero",
        "a.out",
    }
)
_MESSAGE: Final = re.compile(
    r"(?:^|[\s\]])(?:[Ff]atal [Ee]rror|[Ee]rror|ERROR|FATAL|[Ff]atal|FAILED|FAIL|[Ff]ailed|错误|失败|Fehler|erreur|error en)\b[^:]{0,40}?[:：!] ?(.{3,140})"
)
_TRIM: Final = " .,:;!?()[]{}'\"`"
_FILE_LIMIT: Final = 100


def names_in(text: str) -> list[str]:
    """Return the names in a plain line, likeliest first; at most five, each a part of the line.

    Args:
        text: The line in its plain form.

    Returns:
        Quoted names, requirements, files without their directory or below the build root, and symbols.
    """
    whole, text = text, _PROGRAM.sub("", text[:1000])
    quoted = [next(group for group in match.groups() if group) for match in _QUOTED.finditer(text)]
    found = [
        _short(next(group for group in match.groups() if group))
        for match in [*_TEST.finditer(text), *_ABSENT.finditer(text)]
    ]
    found += [_short(name) for name in quoted if " " not in name]
    found += _SCOPED.findall(text) + _COORDINATES.findall(text) + _URL.findall(text)
    rest = _URL.sub(" ", text)
    found += _REQUIREMENT.findall(rest)
    for match in _FILE.finditer(rest):
        found.append(_short(match.group(1) or match.group(2)))
    found += [name for name in _SYMBOL.findall(rest) if not any(name in other for other in found)]
    found += [name for name in quoted if " " in name] + _FLAG.findall(text)
    unique: list[str] = []
    for name in found:
        trimmed = name.strip(_TRIM) if not name.endswith(")") else name
        if len(trimmed) > 2 and trimmed.lower() not in _PLAIN and trimmed not in unique and trimmed in whole:  # noqa: PLR2004
            unique.append(trimmed)
    return unique[:5]


def message_of(text: str) -> str:
    """Return what a line says behind the word that makes it an error, or an empty text."""
    match = _MESSAGE.search(text)
    return match.group(1).strip(_TRIM) if match else ""


def _short(path: str) -> str:
    """Return an installed path as the user sees it, and of any other path the last two parts at most."""
    installed = _BUILDROOT.sub("", path)
    if installed != path or installed.startswith(("/usr/", "/etc/", "/var/lib/", "/opt/")) or "/" not in path:
        return installed[:_FILE_LIMIT]
    return path[-_FILE_LIMIT:] if not path.startswith("/") else "/".join(path.rsplit("/", 3)[1:])[-_FILE_LIMIT:]
