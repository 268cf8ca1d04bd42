"""Where in the build a line stands: sections, what ends them, and traits of the whole log."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Final

from agentactors.teams.diagnosis.literals import LiteralIndex, grams_of


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A line that says that a part of the build begins."""

    keys: tuple[str, ...]
    pattern: re.Pattern[str]
    stage: str
    """Stage that begins, or empty: the group names an rpm section."""
    definite: bool
    """Announced by the build tool itself, so it overrules what a rule says about compile or check."""


_RPM_STAGE: Final = {
    "prep": "prep",
    "generate_buildrequires": "dependency-resolution",
    "conf": "configure",
    "build": "compile",
    "install": "install",
    "check": "check",
    "clean": "package",
    "doc": "package",
    "license": "package",
    "pre": "prep",
}


def _row(key: str, pattern: str, stage: str, *, definite: bool = True) -> SectionRow:
    return SectionRow(tuple(key.split("|")), re.compile(pattern), stage, definite)


_SECTIONS: Final[tuple[SectionRow, ...]] = (
    _row("%", r"^(?:Executing|正在执行|Ausführung|Exécution_de|执行)\(?%(\w+)\)?:", ""),
    _row(
        "executing(%|(%",
        r"^\S{1,30}\(%(prep|build|install|check|clean|generate_buildrequires|conf|doc|license)\): ",
        "",
    ),
    _row("processing files", r"^(?:Processing files|处理文件)[:：]", "package"),
    _row("installed (but unpackaged)|rpm build errors|checking for unpackaged", r"^Checking for unpackaged", "package"),
    _row(
        "dh_", r"^(?:dh_auto_configure|dh_autoreconf|dh_update_autotools_config)\b(?!: (?:error|warning))", "configure"
    ),
    _row("dh_", r"^(?:dh_auto_build|dh_auto_clean)\b(?!: (?:error|warning))", "compile"),
    _row("dh_", r"^dh_auto_test\b(?!: (?:error|warning))", "check"),
    _row("dh_", r"^dh_auto_install\b(?!: (?:error|warning))", "install"),
    _row(
        "dh_",
        r"^dh_(?:install|installdocs|missing|strip|shlibdeps|gencontrol|builddeb|installman|makeshlibs|dwz|"
        r"link)\b(?!: (?:error|warning))",
        "package",
    ),
    _row("==> ", r"==> Starting prepare\(\)", "prep"),
    _row("==> ", r"==> Starting build\(\)", "compile"),
    _row("==> ", r"==> Starting check\(\)", "check"),
    _row("==> ", r"==> Starting package\w*\(\)", "install"),
    _row("==> ", r"==> (?:Retrieving|Validating|Extracting) sources?", "prep"),
    _row(
        "==> ",
        r"==> (?:Checking (?:runtime|buildtime) dependencies|Installing missing dependencies)",
        "dependency-resolution",
    ),
    _row(">>> ", r"^>>> (?:Unpacking|Preparing) source", "prep"),
    _row(">>> ", r"^>>> Configuring source", "configure"),
    _row(">>> ", r"^>>> Compiling source", "compile"),
    _row(">>> ", r"^>>> Test phase", "check"),
    _row(">>> ", r"^>>> Install \S+ into", "install"),
    _row("phase", r"^(?:Running phase: |@nix .{0,60}\"phase\":\"|=== )?(?:unpack|patch)Phase", "prep"),
    _row("phase", r"^(?:Running phase: )?configurePhase", "configure"),
    _row("phase", r"^(?:Running phase: )?buildPhase", "compile"),
    _row("phase", r"^(?:Running phase: )?(?:check|installCheck)Phase", "check"),
    _row(
        "phase",
        r"^(?:Running phase: )?instal"
        r"lPhase",
        "install",
    ),
    _row("wrote: ", r"^(?:Wrote|已写至|写道): /\S+(?<!\.src)(?<!\.nosrc)\.rpm$", "package"),
    _row("... running ", r"^\.\.\. running \d\d-", "package"),
    _row(
        "running test|test session|running unit",
        r"^(?:Running tests\.\.\.|=+ test session starts =+|running \d+ tests?$|Running unit tests)",
        "check",
        definite=False,
    ),
    _row("--- ", r"^--- running tests", "check", definite=False),
)
_SECTION_KEYS: Final = LiteralIndex(key for row in _SECTIONS for key in row.keys)

_STOP_KEYS: Final = LiteralIndex(
    (
        "*** [",
        "*** ",
        "build stopped",
        "bad exit status",
        "configuring incomplete",
        "configure: error",
        "could not compile",
        "build failed",
        "build failure",
        "npm err",
        "npm error",
        "subprocess-exited",
        "could not build wheels",
        "a failure occurred",
        "exit status",
        "exit code",
        "failed to solve",
        "building at step",
        "command failed",
        "builder for",
        "returned a non-zero",
        "aborting",
        "rpm build errors",
        "failed with exit",
        "dpkg-buildpackage",
        "dh_auto",
        "error: test failed",
        "failed!",
        "error: ",
        "stop.",
        "cmake error",
        "non-zero",
        "generate step",
        "failed",
        "interrupted: ",
        " error",
        "停止",
        "错误",
        "died with",
    )
)
_STOP: Final = re.compile(
    r"退出状态不好|^g?make(?:\[\d+\])?: \*\*\* .{0,300}?(?:(?:Error|错误|Fehler|Erreur|Ошибка|エラー) ?\d+|[Ss]top\b|停止|Schluss|Killed|Terminated|Segmentation|已杀死)(?! ?\(ignored\)| ?（已忽略）)"
    r"|^CMake Error at \S*(?:cmake_install|CMakeTest\w+Compiler)\.cmake|^ninja: (?:build stopped|error)|[Bb]ad exit status from|-- Configuring incomplete|^configure: error|error: could not compile"
    r"|^BUILD FAIL|\] BUILD FAILURE|FAILURE: Build failed|^npm (?:ERR!|error)|subprocess-exited-with-error|Could not build wheels|==> ERROR: A failure occurred"
    r"|^dh_auto_\w+: error|^dpkg-buildpackage: error|Error: building at STEP|failed to solve|^ERROR: Command failed|builder for .{1,200} failed"
    r"|returned a non-zero code|RPM build errors|error: test failed|^error: .{0,100}(?:exit status|exit code)|^scons: building terminated|emake failed|^\S+: .{0,80}failed with exit (?:status|code) [1-9]"
    r"|^(?:ERROR|error): .{0,200}(?:non-zero|exit(?:ed)? with)|Process completed with exit code [1-9]|^\d+ errors? generated\.$|CMake Generate step failed|^FAILED \((?:failures|errors)=|^=+ .{0,80}\b\d+ (?:failed|errors?)\b|^!+ Interrupted: \d+ errors?|meson\.build:\d+:\d+: ERROR"
)
_STOP_STAGE: Final = (
    (
        "configure",
        re.compile(
            r"-- Configuring incomplete|^configure: error|CMake Generate step failed|^CMake Error at \S*CMakeTest\w+Compiler\.cmake|meson\.build:\d+:\d+: ERROR"
        ),
    ),
    (
        "install",
        re.compile(
            r"make(?:\[\d+\])?: \*\*\* \[[^\]]*\binstall(?:-\w+|/\w+)?\] |^CMake Error at \S*cmake_install\.cmake"
        ),
    ),
    (
        "check",
        re.compile(
            r"error: test failed|^FAILED \((?:failures|errors)=|^=+ .{0,80}\b\d+ (?:failed|errors?)\b|^!+ Interrupted: \d+ errors?|make(?:\[\d+\])?: \*\*\* \[[^\]]*\b(?:check|test|tests)(?:-am|-recursive|-TESTS|-local)?\] "
        ),
    ),
)
_HINT_REACH_LINES: Final = 300
_HINT_BACK_LINES: Final = 5
_STOP_LIMIT: Final = 20_000
_FAILED_SECTION: Final = re.compile(
    r"[Bb]ad exit status from \S{1,200} \(%(\w+)\)|\S{1,200} \(%(prep|build|install|check)\) ?退出状态不好|(?:错误|error): .{0,60}\(%(\w+)\) ?(?:的)?退出状态"
)
_FAILED_DEB: Final = re.compile(
    r"^(dh_auto_\w+|dh_\w+): error|make(?:\[\d+\])?: \*\*\* \[(?:debian/rules:\d+: )?(override_dh_\w+|execute_(?:before|after)_dh_\w+)\]"
)
_FAILED_ARCH: Final = re.compile(
    r"==> ERROR: A failure occurred in (\w+)\(\)|ERROR: \S+ failed \((\w+) phase\)|do_(\w+): (?:Function failed|ExecutionError|oe_runmake failed)|>>> ERROR: \S+: (\w+) failed"
)
_ARCH_STAGE: Final = {
    "prepare": "prep",
    "build": "compile",
    "check": "check",
    "package": "install",
    "pkgver": "prep",
    "unpack": "prep",
    "configure": "configure",
    "compile": "compile",
    "test": "check",
    "install": "install",
    "patch": "prep",
    "fetch": "infrastructure",
    "src_test": "check",
    "deps": "dependency-resolution",
    "verify": "prep",
    "rootpkg": "package",
}
_DEB_STAGE: Final = {
    "dh_auto_configure": "configure",
    "dh_autoreconf": "configure",
    "dh_auto_build": "compile",
    "dh_auto_test": "check",
    "dh_auto_install": "install",
}
_KERNEL: Final = re.compile(
    r"/lib/modules/[^/\s]+/(?:build|source)|scripts/Makefile\.(?:build|modpost)|/usr/src/(?:linux|kernels)[-/]|\bdkms\b|\bDKMS\b|\bmodpost\b|\bLD \[M\]|CC \[M\]"
)
_KERNEL_KEYS: Final = LiteralIndex(("/lib/modules", "makefile.", "/usr/src", "dkms", "[m]", "modpost"))
_PACKAGE: Final = re.compile(
    r"^(?:ENTER \['do'\].{0,400}?/SPECS/|Building target platforms|Building for target|Wrote: \S*/|dpkg-buildpackage: info: source package |==> Making package: )(\S{1,100}?)(?:\.spec|\.src\.rpm| |$)"
)


@dataclass(slots=True)
class Mark:
    """Where a section begins."""

    line_number: int
    stage: str
    name: str
    definite: bool


@dataclass(slots=True)
class Phases:
    """The course of one build, filled line by line and then asked."""

    marks: list[Mark] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    """Lines that say that something ended the build, in log order."""
    hints: list[tuple[int, str]] = field(default_factory=list)
    """Stops that name their stage, in log order."""
    failed_name: str = ""
    failed_stage: str = ""
    failed_at: int = 0
    traits: set[str] = field(default_factory=set)
    package: str = ""

    def observe(self, number: int, text: str, low: str) -> None:
        """Take note of one line, if it says something about the course of the build."""
        grams = grams_of(low)
        if _SECTION_KEYS.found(low, grams):
            self._observe_section(number, text, low)
        if len(self.stops) < _STOP_LIMIT and _STOP_KEYS.found(low, grams) and _STOP.search(text):
            self.stops.append(number)
            self.hints += [(number, stage) for stage, pattern in _STOP_STAGE if pattern.search(text)]
            self._observe_failed(number, text)
        if "kernel" not in self.traits and _KERNEL_KEYS.found(low, grams) and _KERNEL.search(text):
            self.traits.add("kernel")
        if not self.package:
            match = _PACKAGE.search(text)
            self.package = match.group(1) if match else ""

    def _observe_section(self, number: int, text: str, low: str) -> None:
        for row in _SECTIONS:
            match = row.pattern.search(text) if any(key in low for key in row.keys) else None
            if match is None:
                continue
            name = match.group(1) if match.lastindex else match.group(0)
            stage = row.stage or _RPM_STAGE.get(name, "package")
            self.marks.append(Mark(number, stage, f"%{name}" if not row.stage else name[:60], row.definite))
            return

    def _observe_failed(self, number: int, text: str) -> None:
        match = _FAILED_SECTION.search(text)
        if match:
            name = next(group for group in match.groups() if group)
            self.failed_name, self.failed_stage, self.failed_at = f"%{name}", _RPM_STAGE.get(name, "package"), number
            return
        match = _FAILED_DEB.search(text)
        if match and not self.failed_name.startswith("%"):
            name = next(group for group in match.groups() if group)
            plain = name.replace("override_", "").replace("execute_before_", "").replace("execute_after_", "")
            self.failed_name, self.failed_stage, self.failed_at = plain, _DEB_STAGE.get(plain, "package"), number
            return
        match = _FAILED_ARCH.search(text)
        if match:
            name = next(group for group in match.groups() if group)
            self.failed_name, self.failed_stage, self.failed_at = name, _ARCH_STAGE.get(name, "compile"), number

    def finish(self) -> None:
        """Order what was noted: last repetitions are observed after first ones."""
        self.marks.sort(key=lambda mark: mark.line_number)
        self.stops.sort()
        self.hints.sort()

    def section_at(self, number: int) -> Mark | None:
        """Return the section in which a line stands."""
        index = bisect_right(self.marks, number, key=lambda mark: mark.line_number) - 1
        return self.marks[index] if index >= 0 else None

    def failed_range(self) -> tuple[int, int]:
        """Return the first and last line of the section that failed, or (0, 0) when no tool names one."""
        if not self.failed_at:
            return (0, 0)
        begin = 0
        for mark in self.marks:
            if mark.line_number > self.failed_at:
                break
            if mark.name == self.failed_name or (mark.stage == self.failed_stage and mark.definite):
                begin = mark.line_number
        return (begin, self.failed_at) if begin else (0, 0)

    def lines_to_stop(self, number: int) -> int | None:
        """Return how many lines after this one the build was stopped, or None when it went on to the end."""
        index = bisect_right(self.stops, number - 1)
        return self.stops[index] - number if index < len(self.stops) else None

    def stop_stage(self, number: int) -> str:
        """Return the stage that the stop just before or soon after a line names, or an empty text."""
        index = bisect_left(self.hints, (number, ""))
        if index and number - self.hints[index - 1][0] <= _HINT_BACK_LINES:
            return self.hints[index - 1][1]
        if index < len(self.hints) and self.hints[index][0] - number <= _HINT_REACH_LINES:
            return self.hints[index][1]
        return ""

    def stop_index(self, number: int) -> int:
        """Return which stop is the first at or after a line."""
        return bisect_right(self.stops, number - 1)

    def stops_before(self, number: int, since: int) -> int:
        """Return how many stops precede a line, counted from ``since``."""
        return bisect_right(self.stops, number - 1) - bisect_right(self.stops, since - 1)
