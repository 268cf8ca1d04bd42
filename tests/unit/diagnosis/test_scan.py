from __future__ import annotations

import numpy as np
import pytest

from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.model import Diagnosis
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.view import LogBytes, LogView

HEADER = "frob.c:1:10: fatal error: bar.h: No such file or directory"


def diagnosed(log: str | bytes) -> Diagnosis:
    return conclude(scan(log if isinstance(log, bytes) else log.encode()), [])


@pytest.mark.spec("COLLAB-10")
def test_evidence_is_quoted_with_its_line_number() -> None:
    lines = ["gcc -c frob.c", "", HEADER, "compilation terminated.", "make: *** [Makefile:2: frob.o] Error 1"]
    first = diagnosed("\n".join(lines)).evidence[0]
    assert (first.line_number, first.text) == (3, HEADER)


@pytest.mark.parametrize(
    "prefix",
    [
        "[   12s] ",
        "#12 3.456 ",
        "2024-05-01T10:00:00.123456Z ",
        "May 01 10:00:00 host1 builder[12]: ",
        "[10:00:00] ",
        "DEBUG util.py:461:  ",
        "\x1b[31m",
        "       > ",
        "| ",
        "[   12s] [ 3.4] ",
    ],
)
def test_prefixes_do_not_hide_the_cause(prefix: str) -> None:
    log = f"{prefix}gcc -c frob.c\n{prefix}{HEADER}\n{prefix}make: *** [frob.o] Error 1\n"
    diagnosis = diagnosed(log)
    assert (diagnosis.category, diagnosis.culprit) == ("missing_header", "bar.h")
    assert diagnosis.evidence[0].text == prefix + HEADER


@pytest.mark.parametrize("kind", ["bytes", "bytearray", "memoryview", "array", "frozen array"])
def test_any_buffer_is_read_in_place(kind: str) -> None:
    data = (HEADER + "\n").encode()
    array = np.frombuffer(data, dtype=np.uint8)
    array.flags.writeable = False
    buffers: dict[str, LogBytes] = {
        "bytes": data,
        "bytearray": bytearray(data),
        "memoryview": memoryview(data),
        "array": array.copy(),
        "frozen array": array,
    }
    assert scan(buffers[kind]).findings[0].culprit == "bar.h"


def test_twice_encoded_quotes_are_read_and_quoted_as_they_stand() -> None:
    line = "a.c:1:2: error: implicit declaration of function \u2018frob\u2019".encode().decode("latin-1")
    diagnosis = diagnosed(line)
    assert diagnosis.culprit.startswith("frob")
    assert diagnosis.evidence[0].text == line


def test_gb18030_line_is_read() -> None:
    diagnosis = diagnosed("main.c:1:10: 致命错误：frob.h：没有那个文件或目录\n".encode("gb18030"))
    assert (diagnosis.category, diagnosis.culprit) == ("missing_header", "frob.h")


def test_first_error_of_make_k_decides() -> None:
    noise = "".join(f"x{i}.c:1:2: warning: unused parameter 'p{i}' [-Wunused-parameter]\n" for i in range(3000))
    log = (
        "a.c:1:1: error: implicit declaration of function 'first'\nmake: *** [a.o] Error 1\n"
        + noise
        + "b.c:1:1: error: implicit declaration of function 'second'\nmake: *** [b.o] Error 1\n"
        + "make: Target 'all' not remade because of errors.\n"
    )
    assert diagnosed(log).culprit.startswith("first")


def test_failure_before_the_build_went_on_is_not_the_cause() -> None:
    log = (
        "sh: line 1: frobgen: command not found\n"
        + "".join(f"compiling {i} units\n" for i in range(400))
        + "/usr/bin/ld: a.o: undefined reference to `spin'\ncollect2: error: ld returned 1 exit status\n"
        + "make: *** [Makefile:3: a] Error 1\n"
    )
    assert diagnosed(log).category == "undefined_reference"


def test_section_that_rpm_names_as_failed_decides() -> None:
    log = """Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A
configure: error: cannot find frob library
make: *** [config] Error 1
+ exit 0
Executing(%check): /bin/sh -e /var/tmp/rpm-tmp.B
FAIL: t_merge
make: *** [Makefile:9: check] Error 1
error: Bad exit status from /var/tmp/rpm-tmp.B (%check)

RPM build errors:
    Bad exit status from /var/tmp/rpm-tmp.B (%check)
"""
    findings = scan(log.encode())
    diagnosis = conclude(findings, [])
    assert (findings.failed_section, findings.failed_stage) == ("%check", "check")
    assert [mark.name for mark in findings.sections] == ["%build", "%check"]
    assert (diagnosis.stage, diagnosis.category, diagnosis.culprit) == ("check", "test_failure", "t_merge")


def test_compile_error_in_check_is_a_check_failure() -> None:
    log = f"Executing(%check): /bin/sh -e x\n{HEADER}\nerror: Bad exit status from /var/tmp/rpm-tmp.B (%check)\n"
    assert (diagnosed(log).stage, diagnosed(log).category) == ("check", "missing_header")


def test_deb_target_gives_the_stage() -> None:
    log = (
        "   dh_auto_test\nTraceback (most recent call last):\nModuleNotFoundError: No module named 'frob'\n"
        "dh_auto_test: error: make -j1 check returned exit code 2\n"
    )
    assert (diagnosed(log).stage, diagnosed(log).category) == ("check", "python_import")


def test_several_symbols_become_one_finding() -> None:
    log = (
        "".join(f"/usr/bin/ld: a.c:1: undefined reference to `sym_{name}'\n" for name in "abcd")
        + "make: *** [a] Error 1\n"
    )
    findings = scan(log.encode())
    assert findings.findings[0].culprit == "sym_a, sym_b, sym_c"
    assert [line.line_number for line in findings.findings[0].evidence][:3] == [1, 2, 3]


def test_one_very_long_line_costs_little_and_hides_nothing() -> None:
    log = b"x" * 3_000_000 + b"\n" + HEADER.encode() + b"\n"
    findings = scan(log)
    assert findings.line_count == 2
    assert findings.findings[0].evidence[0].line_number == 2


def test_carriage_returns_keep_what_was_drawn_last() -> None:
    assert diagnosed(f"progress 10%\rprogress 90%\r{HEADER}\r\n").culprit == "bar.h"


def test_line_numbers_hold_across_chunks() -> None:
    filler = b"".join(b"line %d of filler text\n" % number for number in range(120_000))
    log = filler + HEADER.encode() + b"\n" + filler
    findings = scan(log)
    assert findings.findings[0].evidence[0].line_number == 120_001
    assert findings.line_count == 240_001


def test_view_gives_neighbouring_lines_and_tail() -> None:
    view = LogView(b"one\ntwo\nthree\n\nfour")
    assert [raw for _, raw in view.lines_after(0, 2)] == [b"two", b"three"]
    assert [raw for _, raw in view.lines_before(8, 9)] == [b"two", b"one"]
    assert [raw for _, raw in view.tail(2)] == [b"three", b"four"]
    assert list(LogView(b"").chunks()) == []


def test_nothing_known_gives_an_honest_guess() -> None:
    diagnosis = diagnosed("step one\nstep two\nsomething odd happened\n")
    assert diagnosis.confidence < 0.2
    assert diagnosis.evidence[0].text == "something odd happened"
    assert diagnosis.fix


def test_hints_of_the_caller_are_kept() -> None:
    findings = scan(HEADER.encode(), ecosystem="rpm", distro="openEuler 24.03")
    assert (findings.ecosystem, findings.distro) == ("rpm", "openEuler 24.03")
