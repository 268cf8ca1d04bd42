"""What build services and the tools around a build write, and failures of tools that no rule knows."""

from __future__ import annotations

from typing import Final

from tests.support.diagnosis_message import Message, message

MOCK_END: Final = (
    "error: Bad exit status from /var/tmp/rpm-tmp.PX9wCr (%{section})\n\nRPM build errors:\n"
    "    Bad exit status from /var/tmp/rpm-tmp.PX9wCr (%{section})\nChild return code was: 1\n"
    "EXCEPTION: [Error('Command failed: \\n # bash --login -c /usr/bin/rpmbuild -ba frob.spec\\n', 1)]\n"
    "Traceback (most recent call last):\n"
    '  File "/usr/lib/python3.13/site-packages/mockbuild/trace_decorator.py", line 93, in trace\n'
    "    result = func(*args, **kw)\n"
    '    raise exception.Error("Command failed: \\n # %s\\n%s" % (cmd_pretty(command, env), output), child.returncode)\n'
    "mockbuild.exception.Error: Command failed: \n # bash --login -c /usr/bin/rpmbuild -ba frob.spec\n"
)
OBS_START: Final = (
    "[    0s] /usr/bin/qemu-kvm -nodefaults -no-reboot -nographic -vga none -cpu host -m 16384 -append panic=1 quiet\n"
    "[    1s] [    0.812345][    T1] pci 0000:00:01.0: BAR 7: failed to assign\n"
)
OBS_END: Final = (
    "[   90s] ### VM INTERACTION START ###\n[   90s] [   81.446813][    T1] sysrq: Power Off\n"
    "[   90s] [   81.448121][  T119] reboot: Power down\n[   90s] ### VM INTERACTION END ###\n[   90s] \n"
    '[   90s] worker07 failed "build frob.spec" at Tue Mar  4 10:13:02 UTC 2025.\n[   90s] \n'
)


def in_mock(section: str, log: str) -> str:
    """Put output into a section of a koji build with its usual end."""
    return f"Executing(%{section}): /bin/sh -e /var/tmp/rpm-tmp.PX9wCr\n+ cd frob-1.0\n{log}\n" + MOCK_END.replace(
        "{section}", section
    )


def in_obs(log: str, section: str = "") -> str:
    """Put output into an OBS build with its usual beginning and end."""
    body = f"[    7s] Executing(%{section}): /bin/sh -e /var/tmp/rpm-tmp.A\n" if section else ""
    body += "".join(f"[    8s] {line}\n" for line in log.split("\n"))
    end = f"[    9s] error: Bad exit status from /var/tmp/rpm-tmp.A (%{section})\n" if section else ""
    return OBS_START + body + end + OBS_END


MESSAGES: Final[tuple[Message, ...]] = (
    message(
        in_mock(
            "build",
            "# There is insufficient memory for the Java Runtime Environment to continue.\n"
            "# Native memory allocation (mmap) failed to map 402653184 bytes. Error detail: committing.\n"
            "# An error report file with more information is saved as:\n# /builddir/build/BUILD/x/hs_err_pid812.log",
        ),
        "compile",
        "out_of_memory",
        "Java Runtime Environment",
    ),
    message(
        in_mock(
            "build",
            "drivers/frob/fr_ring.o: error: objtool: fr_ring_reset+0x1a4: unannotated intra-function call\n"
            "make[5]: *** [scripts/Makefile.build:203: drivers/frob/fr_ring.o] Error 255",
        ),
        "compile",
        "build_system_error",
        "fr_ring_reset",
    ),
    message(
        in_mock(
            "build",
            "btf_encoder__encode: btf__dedup failed!\nFailed to encode BTF\n"
            "FAILED: load BTF from vmlinux: No data available\nmake[2]: *** [scripts/Makefile.vmlinux:37: vmlinux] Error 255",
        ),
        "",
        "toolchain_version",
        "BTF|btf_encoder__encode",
    ),
    message(
        in_mock(
            "install",
            "ERROR: dependencies \u2018frobkit\u2019, \u2018barr\u2019 are not available for package \u2018frob\u2019\n"
            "* removing \u2018/builddir/build/BUILD/R-frob-1.1-build/BUILDROOT/usr/share/R/library/frob\u2019",
        ),
        "install",
        "missing_build_dependency",
        "frobkit",
    ),
    message(
        in_mock(
            "check",
            "Running the tests in \u2018tests/testthat.R\u2019 failed.\nLast 13 lines of output:\n"
            "  \u2500\u2500 Failure ('test-frob.R:22:3'): frobs sum to one \u2500\u2500\u2500\u2500\n  1/1 mismatches\n"
            "  [ FAIL 1 | WARN 0 | SKIP 3 | PASS 120 ]\n  Error: Test failures\n* DONE",
        ),
        "check",
        "test_failure",
        "test-frob.R",
    ),
    message(
        in_mock(
            "build",
            "Compiling targeted frob module\nfrob.te:34:ERROR 'syntax error' at token 'frob_send_msgz' on line 3412:\n"
            "\tfrob_send_msgz(frob_t)\nmake: *** [/usr/share/selinux/devel/include/Makefile:157: tmp/frob.mod] Error 1",
        ),
        "compile",
        "source_code_error",
        "frob_send_msgz",
    ),
    message(
        in_mock(
            "check",
            "+ systemd-analyze verify frobd.service\n"
            "frobd.service: Command /usr/sbin/frobd is not executable: No such file or directory",
        ),
        "check",
        "packaged_file_missing",
        "/usr/sbin/frobd",
    ),
    message(
        in_mock(
            "check",
            "t/b.t .. \nCan't locate Frob/Bar.pm in @INC (you may need to install the Frob::Bar module) (@INC contains: x)\n"
            "BEGIN failed--compilation aborted at t/b.t line 2.\nDubious, test returned 2 (wstat 512, 0x200)\n"
            "t/b.t (Wstat: 512 (exited 2) Tests: 0 Failed: 0)\nResult: FAIL\nmake: *** [Makefile:814: test_dynamic] Error 2",
        ),
        "check",
        "missing_build_dependency",
        "Frob::Bar",
    ),
    message(
        in_obs(
            "ERROR: No sufficient Category definition: /home/abuild/rpmbuild/BUILDROOT//usr/share/applications/frob.desktop (frob.desktop)\n"
            "please refer to https://en.opensuse.org/openSUSE:Packaging_desktop_menu_categories",
            "install",
        ),
        "install",
        "build_system_error",
        "frob.desktop",
    ),
    message(
        in_obs(
            "ERROR: link target doesn't exist (neither in build root nor in installed system):\n"
            "  /usr/lib64/libfrob.so -> /usr/lib64/libfrob.so.2\nAdd the package providing the target to BuildRequires and Requires",
            "install",
        ),
        "install",
        "packaged_file_missing",
        "/usr/lib64/libfrob.so",
    ),
    message(
        in_obs(
            "Wrote: /home/abuild/rpmbuild/RPMS/x86_64/frob-1.9-1.1.x86_64.rpm\n... running 18-check-directories\n"
            "directories not owned by a package:\n - /usr/share/frob\n - /usr/share/frob/themes"
        ),
        "package",
        "packaged_file_missing",
        "/usr/share/frob",
    ),
    message(
        in_obs(
            "frob.x86_64: E: dbus-file-unauthorized (Badness: 10) /usr/share/dbus-1/system.d/org.frob.conf\n"
            "frob.x86_64: E: permissions-file-setuid-bit (Badness: 900) /usr/libexec/frob-helper is packaged with setuid/setgid bits\n"
            "(badness of 910 exceeds threshold of 999, aborting.)"
        ),
        "package",
        "build_system_error",
        "permissions-file-setuid-bit",
    ),
    message(
        in_obs(
            "[ DEBUG   ]: 01:16:26 | system: Package 'frob-agent' not found.\n[ DEBUG   ]: 01:16:26 | system: Nothing to do.\n"
            "[ ERROR   ]: 01:16:26 | KiwiInstallPhaseFailed: System package installation failed: "
        ),
        "dependency-resolution",
        "missing_build_dependency",
        "frob-agent",
    ),
    message(
        in_obs(
            "Error: creating build container: initializing source docker://registry.example.org/frob/base:1.24: pinging container "
            'registry registry.example.org: Get "https://registry.example.org/v2/": dial tcp: lookup registry.example.org: no such host'
        ),
        "infrastructure",
        "network_in_build",
        "registry.example.org/frob/base:1.24",
    ),
    message(
        in_obs(
            'Error: building at STEP "COPY frob.sh /usr/local/bin/": checking on sources under "/usr/src/packages/BUILD": '
            'copier: stat: "/frob.sh": no such file or directory\npodman build command failed'
        ),
        "",
        "missing_source_file",
        "frob.sh",
    ),
    message(
        in_obs(
            "STEP 6/8: RUN [ \"$(rpm -q --qf '%{version}' frobdb | cut -d '.' -f -2)\" = \"11.7\" ]\n"
            'Error: building at STEP "RUN [ "$(rpm -q --qf \'%{version}\' frobdb | cut -d \'.\' -f -2)" = "11.7" ]": '
            "while running runtime: exit status 1\npodman build command failed"
        ),
        "check",
        "version_conflict",
        "frobdb",
    ),
    message(
        "Files could not be expanded: service error: service daemon error:\n 400 error from OBS service server: service error: wget "
        "--no-verbose https://releases.example.org/frob/frob-3.4.tar.xz\n2025-03-04 10:01:11 ERROR 404: Not Found.\n"
        'ERROR: Failed to download "https://releases.example.org/frob/frob-3.4.tar.xz"\n',
        "infrastructure",
        "source_or_repo_unavailable",
        "frob-3.4.tar.xz",
    ),
    message(
        "unresolvable: nothing provides pkgconfig(libfrob) >= 1.2, nothing provides perl(Frob::Tiny)\n",
        "dependency-resolution",
        "missing_build_dependency",
        "pkgconfig(libfrob)",
    ),
    message(
        in_obs(
            '/home/abuild/rpmbuild/BUILD/frobqt-2.0/src/mainwindow.h:41:1: error: Parse error at "Q_SLOTZ"\n'
            "make[2]: *** [src/CMakeFiles/frobqt_autogen.dir/build.make:71: src/CMakeFiles/frobqt_autogen] Error 1",
            "build",
        ),
        "compile",
        "source_code_error",
        "mainwindow.h",
    ),
    message(
        "dpkg-gensymbols: error: some symbols or patterns disappeared in the symbols file: see diff output below\n"
        "dpkg-gensymbols: warning: debian/libfrob3/DEBIAN/symbols doesn't match completely debian/libfrob3.symbols\n"
        "--- debian/libfrob3.symbols (libfrob3_1.4.2-1_amd64)\n+++ dpkg-gensymbolsX\tx\n- frob_legacy_open@Base 1.2\n"
        "dh_makeshlibs: error: failing due to earlier errors\nmake: *** [debian/rules:9: binary] Error 25\n"
        "dpkg-buildpackage: error: debian/rules binary subprocess returned exit status 2\n",
        "package",
        "build_system_error|dependency_api_change",
        "debian/libfrob3.symbols|frob_legacy_open",
    ),
    message(
        "dpkg-buildpackage: warning:     debian/changelog(l1): version '1.0_beta' is invalid: version number contains illegal character '_'\n"
        "LINE: frob (1.0_beta) unstable; urgency=medium\ndpkg-buildpackage: error: version number does not start with digit\n",
        "prep",
        "spec_macro_error",
        "debian/changelog|1.0_beta",
    ),
    message(
        "install -m 755 frob /usr/local/bin/frob\ninstall: cannot create regular file '/usr/local/bin/frob': Permission denied\n"
        "make: *** [Makefile:2: install] Error 1\n",
        "install",
        "permission",
        "/usr/local/bin/frob",
    ),
    message(
        "CMake Error at build/cmake_install.cmake:52 (file):\n  file INSTALL cannot copy file\n"
        '  "/tmp/x/build/frob" to\n  "/usr/local/bin/frob": Permission denied.\n',
        "install",
        "permission",
        "frob",
    ),
    message(
        "/usr/bin/ld: main.o: in function `main':\nmain.c:7: undefined reference to `frob::v1::run[abi:cxx11](int)'\n"
        "collect2: error: ld returned 1 exit status\nmake: *** [Makefile:3: frob] Error 1\n",
        "link",
        "undefined_reference",
        "frob::v1::run, |frob::v1::run",
    ),
    message(
        "FAILED tests/test_dates.py::test_week[2024-12-30] - AssertionError: assert (2024, 53) == (2025, 1)\n"
        "=== 1 failed, 233 passed in 12.22s ===\n",
        "check",
        "test_failure",
        "tests/test_dates.py::test_week,",
    ),
    message(
        "label.cpp:2:38: error: conversion from \u2018const char8_t [6]\u2019 to non-scalar type \u2018std::string\u2019 requested\n"
        "make: *** [Makefile:3: label.o] Error 1\n",
        "compile",
        "compiler_error_language_change",
        "char8_t",
    ),
    message(
        'error[E0432]: unresolved import `froblib`\n --> src/main.rs:1:5\nerror: could not compile `frob` (bin "frob") due to 1 previous error\n',
        "compile",
        "missing_build_dependency",
        "froblib",
    ),
    message(
        "error[E0554]: `#![feature]` may not be used on the stable release channel\n --> src/main.rs:1:1\nerror: could not compile `frob`\n",
        "compile",
        "toolchain_version",
        "#![feature]",
    ),
    message(
        "configure: error: libfrob >= 2.0 not found, install the development files\n",
        "configure",
        "missing_library",
        "libfrob",
    ),
    message(
        "/src/docs/index.rst:3: WARNING: Title underline too short.\nbuild finished with problems, 1 warning (with warnings treated as errors).\n"
        "make: *** [Makefile:20: html] Error 1\n",
        "",
        "build_system_error",
        "docs/index.rst",
    ),
    message(
        "No translations found for frob in /home/user/rpmbuild/BUILDROOT/frob-1.2.0-1.x86_64\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.A (%install)\n",
        "install",
        "packaged_file_missing",
        "frob",
    ),
    message(
        '+ gem build frob.gemspec\nERROR:  While executing gem ... (Gem::InvalidSpecificationException)\n    ["lib/frob.rb"] are not files\n',
        "",
        "missing_source_file",
        "lib/frob.rb",
    ),
    message(
        "ERROR: Cannot install froba==1.0 and frobb==1.0 because these package versions have conflicting dependencies.\n\n"
        "The conflict is caused by:\n    froba 1.0 depends on barlib<2\n    frobb 1.0 depends on barlib>=2\n\nERROR: ResolutionImpossible: for help\n",
        "dependency-resolution",
        "version_conflict",
        "barlib",
    ),
    message(
        "WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by "
        "'NewConnectionError(': Failed to establish a new connection')': /simple/setuptools-frob/\n"
        "ERROR: Could not find a version that satisfies the requirement setuptools-frob>=60 (from versions: none)\n"
        "ERROR: No matching distribution found for setuptools-frob>=60\n",
        "dependency-resolution",
        "network_in_build",
        "setuptools-frob",
    ),
    message(
        "./frobtest\nok 1\nFAILED 1 of 9: lock ordering\nmake[1]: *** [Makefile:13: check] Error 1\n"
        "dh_auto_test: error: make -j1 check returned exit code 2\n",
        "check",
        "test_failure",
        "lock ordering",
    ),
)
