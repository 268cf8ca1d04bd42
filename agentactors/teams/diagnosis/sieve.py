"""The cheap first pass: which lines of a log are worth a closer look.

Theory of operation: a build log is mostly repetition. Each chunk of the log is folded (lower case, digits taken
out) by one table look-up per byte and cut into lines; a folded line that was seen before costs one dictionary
look-up. Only new shapes are searched for the literals that every rule contains at least one of. What comes out is
one candidate per shape, with its first and last place, so the regular expressions run on a few thousand lines
even when the log has a million.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from agentactors.teams.diagnosis.view import Chunk, LogView

CORE_NEEDLES: Final[tuple[str, ...]] = (
    "error",
    "fatal",
    "fail",
    "not found",
    "no such",
    "undefined",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable",
    "missing",
    "provides",
    "conflict",
    "require",
    "needed",
    "denied",
    "permitted",
    "kill",
    "timeout",
    "timed out",
    "no space",
    "memory",
    "unresolvable",
    "no match",
    "no package",
    "unpackaged",
    "unsupported",
    "unknown",
    "invalid",
    "no rule",
    "does not",
    "is not",
    "exception",
    "exit status",
    "exit code",
    "executing(%",
    "*** ",
    "dh_",
    "not ok",
    "job control",
    "getbinaries",
    "hunk",
    "reversed",
    "==> ",
    ">>> ",
    "phase",
    "错误",
    "致命",
    "没有",
    "未",
    "无法",
    "失败",
    "权限",
    "找不到",
)
"""What nearly every report of failure contains; all that is searched for in the far part of an endless log."""

NEEDLES: Final[tuple[str, ...]] = (
    *CORE_NEEDLES,
    "recogni",
    "bad ",
    "mismatch",
    "exist",
    "not in",
    "multiple",
    "duplicate symbol",
    "multiply",
    "relocation",
    "recompile",
    "dso ",
    "excluded",
    "included",
    "panic",
    "abort",
    "segmentation",
    "segfault",
    "dubious",
    "no longer",
    "must be",
    "must not",
    "too old",
    "too many",
    "not enough",
    "has no",
    "not used",
    "declared",
    "no module",
    "no acceptable",
    "lock",
    "fetch",
    "resolv",
    "download",
    "depends:",
    "have choice",
    "broken",
    "first defined",
    "not supported",
    "garbage",
    "malformed",
    "corrupt",
    "rejects",
    "file to patch",
    "reverse-applied",
    "expected",
    "implicit",
    "redefin",
    "traceback",
    "+ %",
    "%{",
    "%_",
    "syntax",
    "status",
    "unclosed",
    "unterminated",
    "is a keyword",
    "compatib",
    "obsolete",
    "unreachable",
    "refused",
    "no route",
    "reset by peer",
    "quota",
    "allocat",
    "bad_alloc",
    "heap",
    "signal",
    "step ",
    "running ",
    "/lib/modules",
    "makefile.build",
    "dkms",
    "kbuild",
    "/usr/src/",
    "checks:",
    "<<< ",
    "✖",
    "✗",
    "✕",
    "●",
    "excludearch",
    "exclusivearch",
    "read-only",
    "rpath",
    "runpath",
    "more space",
    "validity",
    "file listed",
    "buildroot",
    "badness",
    "which: no",
    "modpost",
    "illegal",
    "sigterm",
    "stuck",
    "inactivity",
    "no output",
    "time limit",
    "maximum",
    "not available",
    " installed",
    "candidate",
    "setup.py",
    "toml",
    "checksum",
    "do not",
    "defined in",
    "defined by",
    "installcheck",
    "version",
    "rebuild",
    "package:",
    "target ",
    "depend",
    "only ",
    "... no",
    "found: no",
    "notfound",
    "interrupted",
    "removed",
    "vendor",
    "sync",
    "offline",
    "option",
    "repomd",
    "mirror",
    "request",
    "lookup",
    "build id",
    "build-id",
    "providing",
    "detected",
    "(not run)",
    "be found",
    "wrong",
    "etarget",
    "eacces",
    "enoent",
    "masked",
    "ebuilds",
    "shebang",
    "rspec ",
    "suite",
    "bail out",
    "runs, ",
    "tests run",
    "certificate",
    "unbound",
    "collecting",
    "gpg",
    "public key",
    "assert",
    "filtered",
    "insufficient",
    "free space",
    "disk",
    "has version",
    "pattern ",
    "constraint",
    "without",
    "no files",
    "no compiler",
    "base class",
    "digital envelope",
    "machine",
    "undef",
    "source_",
    "outdated",
    "verweis",
    "indéfinie",
    "processing files",
    "wrote: ",
    "... running",
    "are not",
    "not owned",
    "at token",
    "objtool",
    "copier",
    "btf",
    "pinging",
    "symbols",
    "badness",
    "sign-file",
    "translations",
    "no longer",
    "char_t",
    "category",
    "restart",
    "failure (",
    "沒有",
    "錯誤",
    "冲突",
    "不存在",
    "内存",
    "空间",
    "已杀死",
    "隐式",
    "不允许",
    "不支持",
    "文件",
    "不够",
    "停止",
    "段错误",
    "缺少",
    "需要",
    "不包括",
    "已安装",
    "多重定义",
    "断言",
    "拒绝",
    "超时",
    "不可达",
    "重定义",
    "fehler",
    "erreur",
    "ошибка",
    "エラー",
    "erro",
    "permiso",
    "datei",
    "fichier",
    "aucun",
    "keine",
    "referencia",
    "definiert",
    "référence",
    "ссылка",
    "нет ",
    "introuvable",
    "nicht gefunden",
    "kein ",
    "impossible",
    "no se puede",
    "speicher",
    "espac",
    "regla",
)
"""Literals, lower case and without digits. A line that any rule can match contains at least one of them."""

_SEEN_LIMIT: Final = 80_000
_FULL_SEARCH_BYTES: Final = 12 << 20
"""So many bytes of new shapes are searched for every needle, the rest for the core."""
_CANDIDATE_LIMIT: Final = 20_000
_LAST_KEPT: Final = 2_000
_FOLD: Final = bytes.maketrans(bytes(range(65, 91)), bytes(range(97, 123)))
_SAID_ABOUT_COMMAND: Final = (
    b"error:",
    b"error ",
    b"error]",
    b"not found",
    b"cannot",
    b"undefined",
    b"killed",
    b"denied",
    b"no such",
    b"failed",
    b"*** ",
    b" space",
)
_DIGITS: Final = b"0123456789"


def _encodings(needle: str) -> set[bytes]:
    """Return the needle as UTF-8, and if it is not ASCII as twice-encoded UTF-8 and GB 18030 as well."""
    plain = needle.encode()
    if needle.isascii():
        return {plain}
    return {plain, plain.decode("latin-1").encode(), needle.encode("gb18030")}


def _forms(needles: tuple[str, ...]) -> tuple[bytes, ...]:
    return _without_covered({form for needle in needles for form in _encodings(needle)})


def _without_covered(needles: set[bytes]) -> tuple[bytes, ...]:
    """Drop what another needle is part of: the shorter one finds it anyway."""
    return tuple(sorted(n for n in needles if not any(other != n and other in n for other in needles)))


_ALL_FORMS: Final = _forms(NEEDLES)
_CORE_FORMS: Final = _forms(CORE_NEEDLES)


def _is_command(key: bytes) -> bool:
    """Tell whether a folded line is a compiler's or linker's command line and nothing else.

    Such lines are long, all different, and full of words that sound like trouble (``-Werror=``, ``--version-script``).
    """
    return (
        b" -o " in key
        and (b" -c " in key or b" -shared" in key or b"-wl," in key)
        and not any(word in key for word in _SAID_ABOUT_COMMAND)
    )


@dataclass(slots=True)
class Candidate:
    """One shape of line that may matter."""

    line_number: int
    """First line of this shape, from 1."""
    offset: int
    """Where that line begins, bytes."""
    last_line_number: int
    last_offset: int
    count: int


@dataclass(slots=True)
class Sieved:
    """What the first pass leaves."""

    candidates: list[Candidate]
    """In log order of first appearance."""
    line_count: int


class _Sieve:
    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.candidates: list[Candidate] = []
        self.searched_bytes = 0

    def take(self, chunk: Chunk) -> None:
        """Add the lines of one chunk."""
        keys = chunk.data.translate(_FOLD, _DIGITS).split(b"\n")
        fresh: list[int] = []
        again: list[int] = []
        fresh_shapes: set[int] = set()
        seen = self.seen
        for index in range(len(chunk.starts)):
            shape = hash(keys[index])
            slot = seen.get(shape)
            if slot is None:
                fresh.append(index)
                if len(seen) < _SEEN_LIMIT:
                    seen[shape] = -1
                    fresh_shapes.add(shape)
            elif slot >= 0:
                self._again(self.candidates[slot], chunk, index)
            elif shape in fresh_shapes:
                again.append(index)
        if fresh:
            self._look_closer(chunk, keys, fresh)
        for index in again:
            slot = seen[hash(keys[index])]
            if slot >= 0:
                self._again(self.candidates[slot], chunk, index)

    def _again(self, candidate: Candidate, chunk: Chunk, index: int) -> None:
        candidate.count += 1
        candidate.last_line_number = chunk.first_line + index
        candidate.last_offset = chunk.offset + int(chunk.starts[index])

    def _look_closer(self, chunk: Chunk, keys: list[bytes], fresh: list[int]) -> None:
        """Search the new shapes for the needles, all shapes at once."""
        fresh = [index for index in fresh if not _is_command(keys[index])]
        joined = b"\n".join([keys[index] for index in fresh])
        begins, position = [], 0
        for index in fresh:
            begins.append(position)
            position += len(keys[index]) + 1
        self.searched_bytes += len(joined)
        hits: set[int] = set()
        for needle in _ALL_FORMS if self.searched_bytes <= _FULL_SEARCH_BYTES else _CORE_FORMS:
            at = joined.find(needle)
            while at >= 0:
                ordinal = bisect_right(begins, at) - 1
                hits.add(ordinal)
                at = joined.find(needle, begins[ordinal] + len(keys[fresh[ordinal]]))
        for ordinal in sorted(hits):
            self._add(chunk, fresh[ordinal], hash(keys[fresh[ordinal]]))

    def _add(self, chunk: Chunk, index: int, shape: int) -> None:
        number, offset = chunk.first_line + index, chunk.offset + int(chunk.starts[index])
        slot = self.seen.get(shape, -1)
        if slot >= 0:
            self._again(self.candidates[slot], chunk, index)
            return
        if len(self.candidates) >= _CANDIDATE_LIMIT + _LAST_KEPT:
            # The cause is rarely in the middle of a flood: keep its beginning and what came last.
            del self.candidates[_CANDIDATE_LIMIT : _CANDIDATE_LIMIT + _LAST_KEPT // 2]
        self.candidates.append(Candidate(number, offset, number, offset, 1))
        if shape in self.seen and len(self.candidates) <= _CANDIDATE_LIMIT:
            self.seen[shape] = len(self.candidates) - 1


def sieve(view: LogView) -> Sieved:
    """Pick the lines worth a closer look.

    Args:
        view: The log.

    Returns:
        One candidate per shape of line, at most 22,000, and the number of lines.

    Cost: one pass; about 30 ms per megabyte of new shapes, 5 ms per megabyte of repetition; under 20 MB of memory
    however long the log.
    """
    sieve_ = _Sieve()
    line_count = 0
    for chunk in view.chunks():
        sieve_.take(chunk)
        line_count = chunk.first_line + len(chunk.starts) - 1
    return Sieved(sieve_.candidates, line_count)
