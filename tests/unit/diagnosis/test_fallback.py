"""What is said of a failure when no rule knows the tool."""

from __future__ import annotations

import pytest

from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.frame import is_frame
from agentactors.teams.diagnosis.model import Diagnosis
from agentactors.teams.diagnosis.names import names_in
from agentactors.teams.diagnosis.phases import Phases
from agentactors.teams.diagnosis.reading import with_plain_names
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.verify import verify
from agentactors.teams.diagnosis.view import LogView
from agentactors.teams.diagnosis.wording import error_rating, is_stop
from tests.support.diagnosis_service_messages import in_mock, in_obs

QUIET = "".join(
    f"gcc -c u{n}.c\nu{n}.c:3:4: warning: 'error' may be used uninitialized [-Wuninitialized]\n" for n in range(90)
)


def diagnosed(log: str) -> Diagnosis:
    findings = scan(log.encode())
    diagnosis = conclude(findings, [])
    assert verify(diagnosis, findings, log.encode()).ok
    return diagnosis


def test_unknown_tool_in_a_koji_build() -> None:
    said = "frobgen: schema/users.frob:12: field 'colour' clashes with builtin"
    diagnosis = diagnosed(
        in_mock("build", f"{QUIET}+ frobgen --all\nfrobgen 2.1 starting\n{said}\n2 problems, giving up")
    )
    assert diagnosis.stage == "compile"
    assert "colour" in diagnosis.culprit
    assert diagnosis.evidence[0].text == said
    assert not any(is_frame(line.text) for line in diagnosis.evidence)


def test_silent_tool_gives_its_last_output_and_the_command() -> None:
    diagnosis = diagnosed(in_obs(f"{QUIET}+ ./tools/check-licences\nfrob/vendor/x.js: GPL-4", "build"))
    assert "frob/vendor/x.js" in diagnosis.culprit
    assert "./tools/check-licences" in diagnosis.evidence[1].text
    assert diagnosis.confidence < 0.2


def test_first_error_before_the_first_stop_decides() -> None:
    log = "".join(f"frobc: unit_{name}.fr: cannot bind 'x'\nmake: *** [Makefile:3: {name}] Error 1\n" for name in "abc")
    assert "unit_a.fr" in diagnosed(in_mock("build", log)).culprit


def test_heading_is_explained_by_the_lines_below() -> None:
    diagnosis = diagnosed(
        "Loading\nERROR: these parts of frob are wrong:\n  alpha_part of frob.conf\n  beta_part of frob.conf\n"
    )
    assert "alpha_part" in diagnosis.culprit
    assert [line.line_number for line in diagnosis.evidence[:3]] == [2, 3, 4]


@pytest.mark.parametrize(
    ("section", "stage", "category"),
    [
        ("check", "check", "test_failure"),
        ("install", "install", "build_system_error"),
        ("prep", "prep", "build_system_error"),
    ],
)
def test_section_gives_stage_and_kind(section: str, stage: str, category: str) -> None:
    diagnosis = diagnosed(in_mock(section, "frobber: error: thing_one went astray"))
    assert (diagnosis.stage, diagnosis.category) == (stage, category)
    assert "thing_one" in diagnosis.culprit


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ("frobber: error: no space left on /x", "disk_full"),
        ("frobber: error: thing.dat: Permission denied", "permission"),
        ("frobber: error: request for x.example.org timed out", "timeout"),
        ("frobber: fatal: cannot allocate memory for 'x'", "out_of_memory"),
    ],
)
def test_words_give_the_kind(line: str, category: str) -> None:
    assert diagnosed(in_mock("build", line.replace("no space left", "No space left"))).category == category


@pytest.mark.parametrize(
    "line",
    [
        "mockbuild.exception.Error: Command failed: ",
        "EXCEPTION: [Error('Command failed: x', 1)]",
        "reboot: Power down",
        "/usr/bin/qemu-kvm -nodefaults -no-reboot panic=1",
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%build)",
        'worker07 failed "build frob.spec" at Tue Mar  4 10:13:02 UTC 2025.',
        "Child return code was: 1",
        "dpkg-buildpackage: error: debian/rules binary subprocess returned exit status 2",
    ],
)
def test_framing_names_no_cause(line: str) -> None:
    assert is_frame(line)


def test_timeout_of_the_build_service_is_no_framing() -> None:
    assert not is_frame("mockbuild.exception.commandTimeoutExpired: Timeout(172800) expired for command:")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("frob: cannot open 'part one.dat' or 'x_y'", {"x_y", "part one.dat"}),
        ("make: frobtool: No such file or directory", {"frobtool"}),
        ("/usr/bin/ld: cannot find -lfrob", {"-lfrob"}),
        ("FAILED tests/test_a.py::test_b - x", {"tests/test_a.py::test_b"}),
        ("x: /b/BUILDROOT/frob-1-1.x86_64/usr/share/frob/a.conf is odd", {"/usr/share/frob/a.conf"}),
        ("needs pkgconfig(frob) >= 2.0 to go on", {"pkgconfig(frob)", "pkgconfig(frob) >= 2.0"}),
        ("bad thing at https://x.example.org/a.tar.gz", {"https://x.example.org/a.tar.gz"}),
    ],
)
def test_names_are_found(line: str, names: set[str]) -> None:
    assert names <= set(names_in(line))


def test_ratings_put_causes_before_summaries_and_harmless_lines() -> None:
    assert error_rating("a.x:3: error: cannot find thing") > error_rating("thing is missing") > 0
    assert error_rating("gcc -Werror=format -c error.c") == 0
    assert error_rating("0 errors, 3 warnings") == 0
    assert is_stop("make[1]: *** [Makefile:3: all] Error 2")


def test_plain_name_comes_before_its_longer_form() -> None:
    assert with_plain_names(["a::run[abi:cxx11]"]) == ["a::run", "a::run[abi:cxx11]"]
    assert with_plain_names(["test_a", "test_b[x-1]"]) == ["test_a", "test_b", "test_b[x-1]"]
    assert with_plain_names(["a[0]"]) == ["a", "a[0]"]
    assert with_plain_names(["plain"]) == ["plain"]


def test_install_target_of_make_names_the_stage() -> None:
    course = Phases()
    course.observe(4, "make: *** [Makefile:2: install] Error 1", "make: *** [makefile:2: install] error 1")
    course.finish()
    assert (course.stop_stage(2), course.stop_stage(6), course.stop_stage(40)) == ("install", "install", "")


def test_last_lines_without_a_line_end_are_whole() -> None:
    assert [raw for _, raw in LogView(b"one\ntwo").last_lines(5)] == [b"two", b"one"]
    assert [raw for _, raw in LogView(b"one\ntwo\n").last_lines(1)] == [b"two"]
