"""One log line: how it is quoted, and how it is put into a form that rules can read.

A rule should not care who ran the build. Time stamps of OBS, Docker, CI and syslog, ANSI colours, curly or
French quotes and text that was once read in the wrong encoding are all taken off or straightened here, and only
for matching: what is quoted as evidence stays as it stands in the log.
"""

from __future__ import annotations

import re
from typing import Final

LINE_LIMIT_BYTES: Final = 4000
_MATCH_LIMIT: Final = 2400
"""A longer line is cut for matching, so that one line of many megabytes costs no more than any other."""

_ANSI = re.compile(r"\x1b(?:\[[0-9;?!:]*[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[()][A-Z0-9])")
_PREFIX = re.compile(
    r"\s*(?:"
    r"\[ *\d+(?:\.\d+)?s?\](?:\[ *[TC]\d+\])?(?= |\t|$)"  # OBS, kernel ring buffer
    r"|#\d+ \d+\.\d+(?= |$)"  # docker buildx
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?\]?"  # ISO time
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\](?= |$)|\d\d:\d\d:\d\d(?:[.,]\d+)? (?=\S)"  # bare time of day
    r"|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?: [\w.-]+ [\w./-]+(?:\[\d+\])?:)?"  # syslog
    r"|(?:DEBUG|INFO|WARNING|ERROR) [a-z_]+\.py:\d+: "  # mock's own logger
    r"|DEBUG: (?=\S)"
    r"|\[ (?:DEBUG|INFO|WARNING|ERROR) {0,4}\]: \d\d:\d\d:\d\d \| "  # kiwi
    r"|::(?:error|warning|debug)(?: [^:]{0,200})?::|##\[(?:error|warning|debug|section|command)\]"  # CI annotations
    r"|\[(?:ERROR|WARN|FATAL)\] (?=\[(?:ERROR|WARN)\])"
    r"|\| (?=\S)"  # bitbake's log excerpt
    r"|[a-z0-9][\w.+-]{0,60}> (?=\S)"  # nix, compose: "name> text"
    r")\s?"
)
_QUOTES: Final = (
    ("\u00e2\u0080\u0098", "'"),
    ("\u00e2\u0080\u0099", "'"),
    ("\u00e2\u0080\u009c", '"'),
    ("\u00e2\u0080\u009d", '"'),
    ("\u00e2\u20ac\u02dc", "'"),
    ("\u00e2\u20ac\u2122", "'"),
    ("\u00e2\u20ac\u0153", '"'),
    ("\u00e2\u20ac\u009d", '"'),
    ("\u00c2\u00ab", '"'),
    ("\u00c2\u00bb", '"'),
    ("\u2018", "'"),
    ("\u2019", "'"),
    ("\u201a", "'"),
    ("\u201b", "'"),
    ("`", "'"),
    ("\u00b4", "'"),
    ("\u201c", '"'),
    ("\u201d", '"'),
    ("\u201e", '"'),
    ("\u00ab", '"'),
    ("\u00bb", '"'),
    ("\uff1a", ": "),
    ("\uff0c", ", "),
    ("\u00a0", " "),
    ("\u202f", " "),
    ("''", "'"),
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_MAYBE_MISREAD = re.compile(r"[\u00e4-\u00e9][\u0080-\u00bf]{2}|\u00e2\u0080|[\u00c2\u00c3][\u0080-\u00bf]")


def quote_line(raw: bytes) -> str:
    """Decode one line for quoting.

    UTF-8 first; a line that is not UTF-8 but plain Chinese in GB 18030 is read as that; otherwise every bad byte
    becomes U+FFFD, so that the text can always travel as JSON.

    Args:
        raw: The bytes of the line, without its line end.

    Returns:
        The text. Never raises.
    """
    raw = raw.removesuffix(b"\r")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        text = raw.decode("gb18030")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "replace")
    return text if len(_HAN.findall(text)) >= 2 else raw.decode("utf-8", "replace")  # noqa: PLR2004


def _undo_misreading(text: str) -> str:
    """Mend UTF-8 that was decoded as Latin-1, if that is what the line holds."""
    if _MAYBE_MISREAD.search(text) and not _HAN.search(text):
        try:
            return text.encode("latin-1").decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            return text
    return text


def plain_text(quoted: str) -> str:
    """Put a line into the form that rules read.

    Args:
        quoted: The line as quoted.

    Returns:
        The line without time stamps, colours and outer blanks, its quotes straight, at most 2,400 characters; of
        a line redrawn by carriage returns, what stood there last.
    """
    # What is said at the end of a long line (of a progress bar, a command) is worth as much as its beginning.
    text = quoted if len(quoted) <= _MATCH_LIMIT else f"{quoted[: _MATCH_LIMIT // 2]} {quoted[-_MATCH_LIMIT // 2 :]}"
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    if not text.isascii():
        text = _undo_misreading(text)
        for strange, straight in _QUOTES:
            if strange in text:
                text = text.replace(strange, straight)
    elif "`" in text or "''" in text:
        text = text.replace("`", "'").replace("''", "'")
    if "\r" in text:
        text = next((part for part in reversed(text.split("\r")) if part.strip()), "")
    for _ in range(4):
        match = _PREFIX.match(text)
        if match is None or match.end() == 0:
            break
        text = text[match.end() :]
    return text.strip()
