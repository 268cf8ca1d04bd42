"""Logs with what misleads: floods, colours, other languages, logs in logs, builds that end for an outer reason."""

from __future__ import annotations

from typing import Final

import pytest

from agentactors.teams.diagnosis.conclude import conclude
from agentactors.teams.diagnosis.scan import scan
from agentactors.teams.diagnosis.verify import verify

COMPILING: Final = "".join(
    f"gcc -Werror=format-security -c src/u{n}.c -o u{n}.o\n"
    f"src/u{n}.c:3:4: warning: 'error' may be used uninitialized [-Wmaybe-uninitialized]\n"
    for n in range(300)
)
FAILING: Final = "".join(
    f"FAIL: t_{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676 % 26)}{n} (tests.test_x.T{n})\n"
    for n in range(5000)
)
CASES: Final[dict[str, tuple[str, str, str, str]]] = {
    "make-k many": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            + COMPILING
            + "src/a.c:10:5: error: 'struct frob' has no member named 'spin'\n"
            "make[1]: *** [Makefile:8: a.o] Error 1\n" + COMPILING + "src/b.c:10:5: error: expected ';' before 'x'\n"
            "make[1]: *** [Makefile:8: b.o] Error 1\n"
            "make[1]: Target 'all' not remade because of errors.\n"
            "make: *** [Makefile:3: all] Error 2\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
        ),
        "compile",
        "dependency_api_change",
        "spin",
    ),
    "1000s failing tests": (
        (
            "Executing(%check): /bin/sh -e /var/tmp/rpm-tmp.B\n" + FAILING + "FAILED (failures=5000)\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%check)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%check)\n"
        ),
        "check",
        "test_failure",
        "t_aaa0",
    ),
    "obs timeout": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            + COMPILING
            + "[  28800s] Job seems to be stuck here, killed. (after 28800 seconds of inactivity)\n"
        ),
        "",
        "timeout",
        "stuck",
    ),
    "koji timeout": (
        (
            "Executing(%check): /bin/sh -e /var/tmp/rpm-tmp.B\n"
            "ok 1\n"
            "ok 2\n"
            "mockbuild.exception.commandTimeoutExpired: Timeout(172800) expired for command:\n"
            " # bash --login -c /usr/bin/rpmbuild\n"
        ),
        "",
        "timeout",
        "172800",
    ),
    "oom obs kernel": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            + COMPILING
            + "[ 4321s] [ 4315.123456][ T9999] Out of memory: Killed process 12345 (cc1plus) total-vm:9123456kB, anon-rss:8123456kB\n"
            "[ 4321s] make[2]: *** [x.o] Error 1\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
        ),
        "compile",
        "out_of_memory",
        "cc1plus",
    ),
    "disk cpio": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n" + COMPILING + "Processing files: frob-1.0-1.x86_64\n"
            "error: create archive failed on file /usr/share/x/frob.dat: cpio: write failed - No space left on device\n"
            "\n"
            "RPM build errors:\n"
            "    create archive failed\n"
        ),
        "package",
        "disk_full",
        "",
    ),
    "zh make": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            "gcc -c a.c\n"
            "a.c: 在函数‘main’中:\n"
            "a.c:3:5: 错误：‘frob_init’未声明（在此函数内第一次使用）\n"
            "make[1]: *** [Makefile:8：a.o] 错误 1\n"
            "错误：/var/tmp/rpm-tmp.A (%build) 退出状态不好\n"
        ),
        "compile",
        "source_code_error",
        "frob_init",
    ),
    "de": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            "a.c:1:10: schwerwiegender Fehler: frob/bar.h: Datei oder Verzeichnis nicht gefunden\n"
            "Kompilierung beendet.\n"
            "make: *** [Makefile:8: a.o] Fehler 1\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
        ),
        "compile",
        "missing_header",
        "bar.h",
    ),
    "es": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            "a.c:1:10: error fatal: frob/bar.h: No existe el fichero o el directorio\n"
            "compilación terminada.\n"
            "make: *** [Makefile:8: a.o] Error 1\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
        ),
        "compile",
        "missing_header",
        "bar.h",
    ),
    "fr ld": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            "/usr/bin/ld : a.o : dans la fonction « main » :\n"
            "a.c:(.text+0x5): référence indéfinie vers « frob_run »\n"
            "collect2: erreur: ld a retourné le statut de sortie 1\n"
            "make: *** [Makefile:8 : a] Erreur 1\n"
        ),
        "link",
        "undefined_reference",
        "frob_run",
    ),
    "de ld": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            "/usr/bin/ld: a.o: in function `main':\n"
            "a.c:(.text+0x5): nicht definierter Verweis auf »frob_run«\n"
            "collect2: Fehler: ld gab 1 als Ende-Status zurück\n"
            "make: *** [Makefile:8: a] Fehler 1\n"
        ),
        "link",
        "undefined_reference",
        "frob_run",
    ),
    "config.log dump": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            "configure:3312: checking for gcc\n"
            "conftest.c:9:10: fatal error: ac_nonexistent.h: No such file or directory\n"
            "configure: failed program was:\n"
            "| #include <ac_nonexistent.h>\n"
            "conftest.c:12: undefined reference to `shl_load'\n"
            "configure:3312: checking for gcc\n"
            "conftest.c:9:10: fatal error: ac_nonexistent.h: No such file or directory\n"
            "configure: failed program was:\n"
            "| #include <ac_nonexistent.h>\n"
            "conftest.c:12: undefined reference to `shl_load'\n"
            "configure:3312: checking for gcc\n"
            "conftest.c:9:10: fatal error: ac_nonexistent.h: No such file or directory\n"
            "configure: failed program was:\n"
            "| #include <ac_nonexistent.h>\n"
            "conftest.c:12: undefined reference to `shl_load'\n"
            "configure: error: The frob library is required but was not found\n"
            "## config.log ##\n"
            "conftest.c:9:10: fatal error: dmalloc.h: No such file or directory\n"
            "conftest.c:(.text+0x5): undefined reference to `dlopen'\n"
            "conftest.c:9:10: fatal error: dmalloc.h: No such file or directory\n"
            "conftest.c:(.text+0x5): undefined reference to `dlopen'\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
        ),
        "configure",
        "missing_library",
        "frob",
    ),
    "test-suite.log": (
        (
            "Executing(%check): /bin/sh -e /var/tmp/rpm-tmp.B\n"
            "PASS: t1\n"
            "FAIL: t_merge\n"
            "# TOTAL: 2\n"
            "# FAIL: 1\n"
            "See ./test-suite.log\n"
            "make[1]: *** [Makefile:9: check-TESTS] Error 1\n"
            "+ cat test-suite.log\n"
            "FAIL: t_merge\n"
            "=============\n"
            "\n"
            "error: cannot open 'x.dat': No such file or directory\n"
            "t_merge.c:12: undefined reference to x\n"
            "FAIL t_merge (exit status: 1)\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%check)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%check)\n"
        ),
        "check",
        "test_failure",
        "t_merge",
    ),
    "ansi ninja": (
        (
            "\x1b[31mFAILED: \x1b[0msrc/x.p/a.c.o \n"
            "cc -o src/x.p/a.c.o -c ../src/a.c\n"
            "\x1b[01m\x1b[K../src/a.c:3:10:\x1b[m\x1b[K \x1b[01;31m\x1b[Kfatal error: \x1b[m\x1b[Kfrob/bar.h: No such file or directory\n"
            "compilation terminated.\n"
            "ninja: build stopped: subcommand failed.\n"
        ),
        "compile",
        "missing_header",
        "bar.h",
    ),
    "ansi cargo": (
        (
            "\x1b[0m\x1b[1m\x1b[38;5;9merror[E0425]\x1b[0m\x1b[0m\x1b[1m: cannot find function `spin` in this scope\x1b[0m\n"
            "\x1b[0m \x1b[0m\x1b[0m\x1b[1m\x1b[38;5;12m--> \x1b[0m\x1b[0msrc/main.rs:2:5\x1b[0m\n"
            '\x1b[1m\x1b[31merror\x1b[0m\x1b[1m:\x1b[0m could not compile `frob` (bin "frob") due to 1 previous error\n'
        ),
        "compile",
        "source_code_error|dependency_api_change",
        "spin",
    ),
    "ansi meson": (
        (
            "\x1b[1mRun-time dependency\x1b[0m frob found: \x1b[31mNO\x1b[0m (tried pkgconfig and cmake)\n"
            "\n"
            '../meson.build:12:0: \x1b[31mERROR:\x1b[0m Dependency "frob" not found, tried pkgconfig and cmake\n'
        ),
        "configure",
        "missing_library",
        "frob",
    ),
    "dkms make.log": (
        (
            "DKMS make.log for frob-1.2 for kernel 6.12.0-1-amd64 (x86_64)\n"
            "make: Entering directory '/usr/src/linux-headers-6.12.0-1-amd64'\n"
            "/var/lib/dkms/frob/1.2/build/frob_main.c: In function ‘frob_probe’:\n"
            "/var/lib/dkms/frob/1.2/build/frob_main.c:120:9: error: too few arguments to function ‘class_create’\n"
            "make[2]: *** [/usr/src/linux-headers-6.12.0-1-common/scripts/Makefile.build:249: /var/lib/dkms/frob/1.2/build/frob_main.o] Error 1\n"
            "make: *** [Makefile:234: __sub-make] Error 2\n"
        ),
        "compile",
        "dependency_api_change",
        "class_create",
    ),
    "yocto": (
        (
            "NOTE: Executing Tasks\n"
            "ERROR: frob-1.0-r0 do_compile: oe_runmake failed\n"
            "ERROR: frob-1.0-r0 do_compile: ExecutionError('/x/temp/run.do_compile.123', 1, None, None)\n"
            "ERROR: Logfile of failure stored in: /x/temp/log.do_compile.123\n"
            "Log data follows:\n"
            "| DEBUG: Executing shell function do_compile\n"
            "| arm-poky-linux-gnueabi-gcc -c main.c\n"
            "| main.c:3:10: fatal error: frob.h: No such file or directory\n"
            "| compilation terminated.\n"
            "| make: *** [Makefile:3: main.o] Error 1\n"
            "| ERROR: oe_runmake failed\n"
            "ERROR: Task (/x/frob_1.0.bb:do_compile) failed with exit code '1'\n"
            "NOTE: Tasks Summary: Attempted 812 tasks of which 811 didn't need to be rerun and 1 failed.\n"
        ),
        "compile",
        "missing_header",
        "frob.h",
    ),
    "yocto fetch": (
        (
            "WARNING: frob-1.0-r0 do_fetch: Failed to fetch URL https://example.org/frob-1.0.tar.gz, attempting MIRRORS if available\n"
            "ERROR: frob-1.0-r0 do_fetch: Fetcher failure: Fetch command export PSEUDO_DISABLED=1; wget failed with exit code 4, no output\n"
            "ERROR: frob-1.0-r0 do_fetch: Bitbake Fetcher Error: FetchError('Unable to fetch URL from any source.', 'https://example.org/frob-1.0.tar.gz')\n"
            "ERROR: Task (/x/frob_1.0.bb:do_fetch) failed with exit code '1'\n"
        ),
        "",
        "source_or_repo_unavailable|network_in_build",
        "frob-1.0.tar.gz",
    ),
    "yocto qa": (
        (
            "ERROR: frob-1.0-r0 do_package: QA Issue: frob: Files/directories were installed but not shipped in any package:\n"
            "  /usr/share/frob/extra.dat\n"
            "Please set FILES such that these items are packaged.\n"
            "frob: 1 installed and not shipped files. [installed-vs-shipped]\n"
            "ERROR: frob-1.0-r0 do_package: Fatal QA errors were found, failing task.\n"
            "ERROR: Task (/x/frob_1.0.bb:do_package) failed with exit code '1'\n"
        ),
        "package",
        "unpackaged_files",
        "/usr/share/frob/extra.dat",
    ),
    "buildroot hash": (
        (
            ">>> frob 1.2 Downloading\n"
            "ERROR: frob-1.2.tar.gz has wrong sha256 hash:\n"
            "ERROR: expected: aaa\n"
            "ERROR: got     : bbb\n"
            "ERROR: Incomplete download, or man-in-the-middle (MITM) attack\n"
            "make: *** [package/pkg-generic.mk:189: /x/build/frob-1.2/.stamp_downloaded] Error 1\n"
        ),
        "",
        "source_or_repo_unavailable",
        "frob-1.2.tar.gz",
    ),
    "euler": (
        (
            "[INFO] 2025-01-02 10:00:00 start build\n"
            "Problem: nothing provides libfrob-devel >= 2.0 needed by mypkg-1.0-1.oe2403.src\n"
            "没有东西可提供 libfrob-devel >= 2.0，被 mypkg-1.0-1.oe2403.src 需要\n"
            "错误：构建依赖失败\n"
        ),
        "dependency-resolution",
        "missing_build_dependency|version_conflict",
        "libfrob-devel",
    ),
    "net end": (
        (
            "Executing(%install): /bin/sh -e /var/tmp/rpm-tmp.C\n"
            "ok\n"
            "+ curl -LO https://example.org/frob.dat\n"
            "curl: (6) Could not resolve host: example.org\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%install)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%install)\n"
        ),
        "install",
        "network_in_build",
        "example.org",
    ),
    "segv test": (
        (
            "Executing(%check): /bin/sh -e /var/tmp/rpm-tmp.B\n"
            "Running suite: frob\n"
            "./run-tests: line 3: 12345 Segmentation fault      (core dumped) ./frob-selftest --all\n"
            "make: *** [Makefile:9: check] Error 139\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%check)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%check)\n"
        ),
        "check",
        "test_failure|source_code_error",
        "frob-selftest",
    ),
    "py warn": (
        (
            "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\n"
            "running build_ext\n"
            "/usr/lib/python3/setuptools/x.py:10: SetuptoolsDeprecationWarning: error\n"
            "  error: subprocess failed\n"
            "src/x.c:3:1: error: unknown type name 'PyFrob'\n"
            "error: command '/usr/bin/gcc' failed with exit code 1\n"
            "error: Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
            "\n"
            "RPM build errors:\n"
            "    Bad exit status from /var/tmp/rpm-tmp.A (%build)\n"
        ),
        "compile",
        "dependency_api_change|source_code_error",
        "PyFrob",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_misleading_log_is_understood(name: str) -> None:
    log, stage, categories, culprits = CASES[name]
    findings = scan(log.encode())
    diagnosis = conclude(findings, [])
    assert diagnosis.category in categories.split("|")
    assert not stage or diagnosis.stage == stage
    assert any(culprit in diagnosis.culprit for culprit in culprits.split("|")), diagnosis.culprit
    assert verify(diagnosis, findings, log.encode()).ok
