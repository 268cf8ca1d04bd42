"""Further messages of distribution builds, set-up and toolchains."""

from __future__ import annotations

from typing import Final

from tests.support.diagnosis_message import Message, message

MESSAGES: Final[tuple[Message, ...]] = (
    message(
        "meson.build:4:0: ERROR: Unknown compiler(s): [['fcc']]\n"
        "The following exception(s) were encountered:\n"
        "Running `fcc --version` gave \"[Errno 2] No such file or directory: 'fcc'\"",
        "configure",
        "toolchain_missing",
        "fcc",
    ),
    message(
        "meson.build:4:0: ERROR: python3 is missing modules: frobmod",
        "configure",
        "python_import",
        "frobmod",
    ),
    message(
        "ERROR: Could not find a version that satisfies the requirement hatchling (from versions: none)\n"
        "ERROR: No matching distribution found for hatchling",
        "dependency-resolution",
        "missing_build_dependency",
        "hatchling",
    ),
    message(
        "configure: error: Python >= 3.9 is required",
        "configure",
        "toolchain_version|version_conflict",
        "Python",
    ),
    message(
        "npm error code EBADENGINE\n"
        "npm error engine Not compatible with your version of node/npm: x@1\n"
        'npm error notsup Required: {"node":">=22"}',
        "dependency-resolution",
        "toolchain_version",
        "node",
    ),
    message(
        "npm ERR! code ENOTCACHED\n"
        "npm ERR! request to https://registry.npmjs.org/frob failed: cache mode is 'only-if-cached' but no cached response is available.",
        "dependency-resolution",
        "missing_build_dependency|network_in_build",
        "frob",
    ),
    message(
        "Error: Cannot find module 'frob-x'\nRequire stack:\n- /x/a.js\nnpm ERR! code 1",
        "",
        "missing_build_dependency",
        "frob-x",
    ),
    message(
        "error: failed to commit transaction (conflicting files)\nfrob: /usr/bin/x exists in filesystem",
        "",
        "version_conflict",
        "frob|/usr/bin/x|conflicting",
    ),
    message(
        " * ERROR: dev-libs/frob-1.0::gentoo failed (compile phase):\n"
        " *   emake failed\n"
        "a.c:1:10: fatal error: bar.h: No such file or directory",
        "compile",
        "missing_header",
        "bar.h",
    ),
    message(
        "cp: error writing '/buildroot/x': No space left on device\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%install)",
        "install",
        "disk_full",
        "/buildroot/x",
    ),
    message(
        "timeout: sending signal TERM to command ‘./frobtest’\nmake: *** [Makefile:9: check] Error 124",
        "check",
        "timeout",
        "frobtest",
    ),
    message(
        "mkdir: cannot create directory '/usr/local/frob': Operation not permitted\n"
        "make: *** [Makefile:9: install] Error 1",
        "",
        "permission",
        "/usr/local/frob",
    ),
    message(
        "/bin/sh: ./gen.sh: Permission denied\nmake: *** [Makefile:3: gen.h] Error 126",
        "",
        "permission",
        "gen.sh",
    ),
    message(
        "go: github.com/frob/x@v1.2.3: verifying module: checksum mismatch\n\tdownloaded: h1:a\n\tgo.sum: h1:b",
        "",
        "vendor_lock_mismatch",
        "github.com/frob/x|checksum",
    ),
    message(
        "verifying github.com/frob/x@v1.2.3: checksum mismatch\n\tdownloaded: h1:a",
        "",
        "vendor_lock_mismatch",
        "github.com/frob/x",
    ),
    message(
        'vendor/github.com/frob/x/a.go:3:2: cannot find package "." in:\n\t/x/vendor/github.com/frob/y',
        "",
        "missing_build_dependency|vendor_lock_mismatch",
        "",
    ),
    message(
        'package github.com/frob/y: cannot find package "github.com/frob/y" in any of:',
        "",
        "missing_build_dependency",
        "github.com/frob/y",
    ),
    message(
        "a.go:3:5: cannot use x (type int) as type string in argument to frob.Do\nmake: *** [b] Error 2",
        "compile",
        "dependency_api_change|source_code_error",
        "a.go",
    ),
    message(
        "a.go:9:4: f.Spin undefined (type *frob.F has no field or method Spin)\n",
        "compile",
        "dependency_api_change",
        "Spin|a.go",
    ),
    message(
        "Job seems to be stuck here, killed. (after 28800 seconds of inactivity)",
        "",
        "timeout",
        "",
    ),
    message(
        "qemu-system: terminated\nBuild timeout: Job killed after 10800 seconds of no output",
        "",
        "timeout",
        "",
    ),
    message(
        " 3/12 frob:slow_merge      TIMEOUT        30.02s   killed by signal 15 SIGTERM\nTimeout:            1",
        "check",
        "timeout",
        "slow_merge",
    ),
    message(
        "E       Failed: Timeout >60.0s\n"
        "FAILED tests/test_x.py::test_hang - Failed: Timeout >60.0s\n"
        "=== 1 failed in 61.0s ===",
        "check",
        "timeout",
        "test_hang",
    ),
    message(
        "panic: test timed out after 10m0s\nrunning tests:\n\tTestHang (10m0s)\nFAIL\tgithub.com/x/y\t600.1s",
        "check",
        "timeout",
        "TestHang",
    ),
    message(
        "./configure: line 2931: AX_FROB_LIB: command not found\nconfigure: error: x",
        "configure",
        "build_system_error|toolchain_missing|missing_library",
        "AX_FROB_LIB",
    ),
    message(
        "./configure: line 4232: syntax error near unexpected token `FROB,'\n"
        "./configure: line 4232: `PKG_CHECK_MODULES(FROB, frob >= 1.0)'\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%build)",
        "configure",
        "build_system_error",
        "PKG_CHECK_MODULES",
    ),
    message(
        "configure.ac:12: error: possibly undefined macro: AC_PROG_LIBTOOL\n"
        "      If this token and others are legitimate, please use m4_pattern_allow.\n"
        "autoreconf: /usr/bin/autoconf failed with exit status: 1",
        "configure",
        "build_system_error",
        "AC_PROG_LIBTOOL",
    ),
    message(
        "checking for FROB... no\n"
        "configure: error: Package requirements (frob >= 2.1 bar) were not met:\n"
        "\n"
        "No package 'frob' found\n"
        "\n"
        "Consider adjusting the PKG_CONFIG_PATH",
        "configure",
        "missing_library",
        "frob",
    ),
    message(
        "./autogen.sh: line 3: autoreconf: command not found\nerror: Bad exit status from /var/tmp/rpm-tmp.x (%build)",
        "",
        "toolchain_missing",
        "autoreconf",
    ),
    message(
        "configure.ac:5: error: Autoconf version 2.72 or higher is required",
        "configure",
        "toolchain_version",
        "2.72",
    ),
    message(
        "error: failed to compile: frob.vala\n"
        "frob.vala:3.5-3.9: error: The name `Frob' does not exist in the context of `main'\n"
        "make: *** [x] Error 1",
        "compile",
        "dependency_api_change|source_code_error",
        "Frob|frob.vala",
    ),
    message(
        "a.f90:3:7:\n"
        "\n"
        "    3 |   use frobmod\n"
        "      |       1\n"
        "Fatal Error: Cannot open module file 'frobmod.mod' for reading at (1): No such file or directory",
        "compile",
        "missing_header|missing_build_dependency",
        "frobmod",
    ),
    message(
        'lib/a.ml:1:\nFile "lib/a.ml", line 3, characters 5-9:\n3 | Frob.x\nError: Unbound module Frob',
        "compile",
        "missing_build_dependency",
        "Frob",
    ),
    message(
        "Setup: Encountered missing or private dependencies:\nfrob >=2 && <3",
        "configure",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "<command line>: cannot satisfy -package-id frob-1.0\n",
        "",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "warning: Could not canonicalize hostname\n"
        "error: line 7: It's not recommended to have unversioned Obsoletes: Obsoletes: x\n",
        "prep",
        "spec_macro_error",
        "bsoletes",
    ),
    message(
        "error: %changelog not in descending chronological order",
        "prep",
        "spec_macro_error",
        "%changelog",
    ),
    message(
        "error: Package already exists: %package devel\n",
        "prep",
        "spec_macro_error",
        "devel",
    ),
    message(
        "error: Symlink points to BuildRoot: /usr/lib/x -> /b/BUILDROOT/y",
        "package",
        "build_system_error",
        "/usr/lib/x",
    ),
    message(
        '    File must begin with "/": frob\nerror: File must begin with "/": frob',
        "package",
        "spec_macro_error|packaged_file_missing|build_system_error",
        "frob",
    ),
    message(
        "warning: File listed twice: /usr/x\n"
        "error: File not found by glob: /b/BUILDROOT/frob-1-1.x86_64/usr/share/frob/*.qm",
        "package",
        "packaged_file_missing",
        "*.qm",
    ),
    message(
        "/bin/sh: symbol lookup error: /usr/lib64/libfrob.so.2: undefined symbol: frob_v3",
        "",
        "undefined_reference",
        "frob_v3",
    ),
    message(
        "ImportError: /x/_c.cpython-311.so: undefined symbol: PyFrob_New",
        "",
        "undefined_reference|python_import",
        "PyFrob_New",
    ),
    message(
        "ImportError: libfrob.so.2: cannot open shared object file: No such file or directory",
        "",
        "missing_library|python_import",
        "libfrob.so.2",
    ),
    message(
        "./a.out: /lib64/libc.so.6: version `GLIBC_2.38' not found (required by ./a.out)",
        "",
        "version_conflict",
        "GLIBC_2.38",
    ),
    message(
        "/usr/bin/ld: a.o: relocation R_AARCH64_ADR_PREL_PG_HI21 against symbol `x' which may bind externally can not be used when making a shared object; recompile with -fPIC\n"
        "collect2: error: ld returned 1 exit status",
        "link",
        "linker_flag",
        "-fPIC",
    ),
    message(
        "/usr/bin/ld: unrecognized option '--frob-mode'\ncollect2: error: ld returned 1 exit status",
        "link",
        "linker_flag",
        "--frob-mode",
    ),
    message(
        "/usr/bin/ld: cannot find libfrob.a: No such file or directory\ncollect2: error: ld returned 1 exit status",
        "link",
        "missing_library",
        "libfrob.a",
    ),
    message(
        "libtool:   error: cannot find the library '../lib/libfrob.la' or unhandled argument '../lib/libfrob.la'\n"
        "make: *** [x] Error 1",
        "link",
        "missing_library",
        "libfrob.la",
    ),
    message(
        "/usr/bin/ld: i386 architecture of input file `frob.o' is incompatible with i386:x86-64 output\ncollect2: error: ld returned 1 exit status\n",
        "link",
        "architecture_unsupported",
        "frob.o",
    ),
    message(
        "ERROR: frob-1.0-cp39-cp39-manylinux2014_aarch64.whl is not a supported wheel on this platform.\n",
        "dependency-resolution",
        "architecture_unsupported",
        "frob-1.0",
    ),
    message(
        "frame.cpp:4:15: error: static assertion failed: Header must be packed\nmake: *** [Makefile:3: frame.o] Error 1\n",
        "compile",
        "source_code_error",
        "frame.cpp",
    ),
    message(
        "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.A\ngcc -c a.c\n!! Copr timeout => sending INT\n",
        "compile",
        "timeout",
        "Copr timeout",
    ),
)
