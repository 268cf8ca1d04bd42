"""Messages in tests, packaging and the language tool chains."""

from __future__ import annotations

from typing import Final

from tests.support.diagnosis_message import Message, message

MESSAGES: Final[tuple[Message, ...]] = (
    message(
        "Fatal Error: Cannot open module file 'frob.mod' for reading at (1): No such file or directory",
        "compile",
        "missing_header",
        "frob.mod",
    ),
    message(
        "Error: Rank mismatch in argument 'x' at (1) (scalar and rank-1)",
        "compile",
        "compiler_error_language_change",
        "ank mismatch",
    ),
    message(
        "Project ERROR: Unknown module(s) in QT: frobkit",
        "configure",
        "missing_library",
        "frobkit",
    ),
    message(
        "error: rustc 1.60.0 is not supported by the following packages:\n  frob@1.2 requires rustc 1.70",
        "",
        "toolchain_version",
        "frob@1.2",
    ),
    message(
        "error: package `frob v1.2` cannot be built because it requires rustc 1.70 or newer, while the currently active rustc version is 1.60",
        "",
        "toolchain_version",
        "frob",
    ),
    message(
        "error: failed to parse manifest at `/x/Cargo.toml`\n\nCaused by:\n  feature `edition2024` is required",
        "",
        "toolchain_version",
        "edition2024",
    ),
    message(
        'error: failed to select a version for the requirement `frob = "^1.4"`\n'
        "candidate versions found which didn't match: 1.2.0\n"
        "location searched: directory source `/x/vendor`\n"
        "perhaps a crate was updated and forgotten to be re-vendored?",
        "dependency-resolution",
        "vendor_lock_mismatch|version_conflict",
        "frob",
    ),
    message(
        "error: the lock file /x/Cargo.lock needs to be updated but --locked was passed to prevent this",
        "",
        "vendor_lock_mismatch",
        "Cargo.lock",
    ),
    message(
        "error[E0432]: unresolved import `frob::bar`\n --> src/main.rs:1:5\nerror: could not compile `x`",
        "compile",
        "dependency_api_change|source_code_error|missing_build_dependency",
        "frob::bar",
    ),
    message(
        "error: linker `frobcc` not found\nerror: could not compile",
        "link",
        "toolchain_missing",
        "frobcc",
    ),
    message(
        "go: inconsistent vendoring in /x:\n"
        "\tgithub.com/frob/y@v1.2.3: is explicitly required in go.mod, but not marked as explicit in vendor/modules.txt",
        "",
        "vendor_lock_mismatch",
        "github.com/frob/y",
    ),
    message(
        "main.go:4:2: missing go.sum entry for module providing package github.com/frob/y; to add:\n\tgo get x",
        "",
        "vendor_lock_mismatch",
        "github.com/frob/y",
    ),
    message(
        "go: errors parsing go.mod:\n/x/go.mod:3: invalid go version '1.22.1': must match format 1.23",
        "",
        "toolchain_version",
        "1.22.1",
    ),
    message(
        "go: go.mod requires go >= 1.23 (running go 1.19; GOTOOLCHAIN=local)",
        "",
        "toolchain_version",
        "1.23",
    ),
    message(
        'main.go:4:2: cannot find package "github.com/frob/y" in any of:\n\t/usr/lib/go/src',
        "",
        "missing_build_dependency",
        "github.com/frob/y",
    ),
    message(
        "npm ERR! code ERESOLVE\n"
        "npm ERR! ERESOLVE unable to resolve dependency tree\n"
        "npm ERR! Found: react@18.0.0\n"
        "npm ERR! Could not resolve dependency:\n"
        'npm ERR! peer react@"^16.0" from frob@1.2.3',
        "dependency-resolution",
        "version_conflict",
        "react",
    ),
    message(
        "npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for frob@^9.0.0.",
        "dependency-resolution",
        "version_conflict",
        "frob",
    ),
    message(
        "npm ERR! code E404\n"
        "npm ERR! 404 Not Found - GET https://registry.npmjs.org/frobx - Not found\n"
        "npm ERR! 404  'frobx@1.0' is not in this registry.",
        "dependency-resolution",
        "missing_build_dependency|source_or_repo_unavailable",
        "frobx",
    ),
    message(
        "error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.",
        "dependency-resolution",
        "vendor_lock_mismatch",
        "yarn.lock|lockfile|frozen",
    ),
    message(
        "gyp ERR! find Python \ngyp ERR! stack Error: Could not find any Python installation to use",
        "compile",
        "toolchain_missing",
        "ython",
    ),
    message(
        "src/a.ts(3,5): error TS2345: Argument of type 'string' is not assignable\nnpm ERR! code ELIFECYCLE",
        "compile",
        "source_code_error",
        "TS2345",
    ),
    message(
        "sh: vite: command not found\nnpm ERR! code 127",
        "compile",
        "toolchain_missing",
        "vite",
    ),
    message(
        "install: cannot create regular file '/usr/lib/frob.so': Permission denied\n"
        "make: *** [Makefile:9: install] Error 1",
        "",
        "permission",
        "/usr/lib/frob.so",
    ),
    message(
        "mkdir: cannot create directory ‘/var/lib/frob’: Permission denied\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.X (%install)",
        "install",
        "permission",
        "/var/lib/frob",
    ),
    message(
        "mkdir: 无法创建目录 “/var/lib/frob”: 权限不够\n错误：/var/tmp/rpm-tmp.X (%install) 退出状态不好",
        "install",
        "permission",
        "/var/lib/frob",
    ),
    message(
        "PermissionError: [Errno 13] Permission denied: '/opt/cache/frob'",
        "",
        "permission",
        "/opt/cache/frob",
    ),
    message(
        "ERROR   0001: file '/usr/bin/frob' contains a standard runpath '/usr/lib64' in [/usr/lib64]\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.X (%install)",
        "install",
        "build_system_error",
        "/usr/bin/frob",
    ),
    message(
        'ERROR: modpost: "frob_sym" [/x/frob.ko] undefined!\n'
        "make[2]: *** [scripts/Makefile.modpost:145: /x/Module.symvers] Error 1",
        "",
        "dependency_api_change",
        "frob_sym",
    ),
    message(
        "make -C /lib/modules/6.12/build M=/x modules\n"
        "/x/a.c:10:2: error: implicit declaration of function 'frob_timer' [-Wimplicit-function-declaration]\n"
        "make[2]: *** [scripts/Makefile.build:229: /x/a.o] Error 1",
        "compile",
        "dependency_api_change",
        "frob_timer",
    ),
    message(
        "make[1]: *** /lib/modules/6.12.0/build: No such file or directory.  Stop.",
        "",
        "missing_build_dependency|missing_source_file",
        "/lib/modules/6.12.0/build",
    ),
    message(
        "/usr/bin/python3: error while loading shared libraries: libfrob.so.3: cannot open shared object file: No such file or directory",
        "",
        "missing_library",
        "libfrob.so.3",
    ),
    message(
        "a.cpp:3:5: error: ‘Frob’ was not declared in this scope\nninja: build stopped: subcommand failed.",
        "compile",
        "dependency_api_change|source_code_error",
        "Frob",
    ),
    message(
        "a.cpp:3:5: error: use of undeclared identifier 'frob_x'\n1 error generated.",
        "compile",
        "source_code_error|dependency_api_change",
        "frob_x",
    ),
    message(
        "a.c:3:5: error: call to undeclared function 'frob_go'; ISO C99 and later do not support implicit function declarations [-Wimplicit-function-declaration]\n"
        "1 error generated.",
        "compile",
        "implicit_declaration",
        "frob_go",
    ),
    message(
        "a.c:3:5: error: incompatible function pointer types passing 'int (void)' to parameter of type 'void (*)(int)' [-Wincompatible-function-pointer-types]\n"
        "1 error generated.",
        "compile",
        "compiler_error_language_change",
        "",
    ),
    message(
        "a.c:3:5: error: expected ‘;’ before ‘return’\nmake: *** [a.o] Error 1",
        "compile",
        "source_code_error",
        "expected",
    ),
    message(
        "cc1: all warnings being treated as errors\n"
        "a.c:3:5: error: unused variable ‘x’ [-Werror=unused-variable]\n"
        "make: *** [a.o] Error 1",
        "compile",
        "compiler_error_language_change",
        "unused-variable",
    ),
    message(
        "a.cpp:3:5: error: 'auto_ptr' is not a member of 'std'\nmake: *** [a.o] Error 1",
        "compile",
        "compiler_error_language_change",
        "auto_ptr",
    ),
    message(
        "a.s:3: Error: no such instruction: `frobps %xmm0'\nmake: *** [a.o] Error 1",
        "compile",
        "architecture_unsupported",
        "frobps",
    ),
    message(
        "a.c:2:10: fatal error: immintrin.h: No such file or directory\nmake: *** [a.o] Error 1",
        "compile",
        "architecture_unsupported|missing_header",
        "immintrin.h",
    ),
    message(
        "gcc: error: unrecognized command-line option ‘-mfrob’\nmake: *** [a.o] Error 1",
        "compile",
        "toolchain_version|architecture_unsupported",
        "-mfrob",
    ),
    message(
        "error: Architecture is excluded: aarch64",
        "",
        "architecture_unsupported",
        "aarch64",
    ),
    message(
        "error: No compatible architectures found for build",
        "",
        "architecture_unsupported",
        "",
    ),
    message(
        "/bin/sh: 1: bison: not found\nmake: *** [Makefile:3: p.c] Error 127",
        "compile",
        "toolchain_missing",
        "bison",
    ),
    message(
        "make: flex: No such file or directory\nmake: *** [Makefile:3: l.c] Error 127",
        "compile",
        "toolchain_missing",
        "flex",
    ),
    message(
        "bash: 行 3: frobgen：未找到命令\nmake: *** [Makefile:3: l.c] 错误 127",
        "compile",
        "toolchain_missing",
        "frobgen",
    ),
    message(
        "/usr/bin/env: ‘python2’: No such file or directory\nmake: *** [x] Error 127",
        "compile",
        "toolchain_missing",
        "python2",
    ),
    message(
        "Step 4/9 : RUN dnf install -y frob-tools\n"
        "Error: Unable to find a match: frob-tools\n"
        "The command '/bin/sh -c dnf install -y frob-tools' returned a non-zero code: 1",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-tools",
    ),
    message(
        "#9 1.234 /bin/sh: frobctl: command not found\n"
        '#9 ERROR: process "/bin/sh -c frobctl init" did not complete successfully: exit code: 127\n'
        "failed to solve: process",
        "",
        "toolchain_missing",
        "frobctl",
    ),
    message(
        "[ ERROR   ]: 12:00:00 | KiwiInstallPhaseFailed: System package installation failed: Problem: nothing provides 'frob'",
        "dependency-resolution",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "==> ERROR: One or more files did not pass the validity check!\n"
        "==> Validating source files with sha256sums...\n"
        "    frob-1.0.tar.gz ... FAILED",
        "prep",
        "source_or_repo_unavailable|missing_source_file|vendor_lock_mismatch",
        "",
    ),
    message(
        ">>> frob: Fetching https://example.org/frob-1.0.tar.gz\n"
        "curl: (22) The requested URL returned error: 404\n"
        ">>> ERROR: frob: fetch failed",
        "",
        "source_or_repo_unavailable",
        "frob",
    ),
    message(
        "ERROR: frob-1.0-r0 do_fetch: Fetcher failure for URL: 'https://example.org/frob.tar.gz'. Unable to fetch URL from any source.",
        "",
        "source_or_repo_unavailable",
        "frob.tar.gz",
    ),
    message(
        "ERROR: QA Issue: frob: Files/directories were installed but not shipped in any package:\n"
        "  /usr/share/frob\n"
        "Please set FILES",
        "package",
        "unpackaged_files",
        "/usr/share/frob",
    ),
    message(
        "error: builder for '/nix/store/x-frob.drv' failed with exit code 1;\n"
        "       last 10 log lines:\n"
        "       > frob.c:1:10: fatal error: bar.h: No such file or directory",
        "compile",
        "missing_header",
        "bar.h",
    ),
    message(
        "2024-05-01T10:00:00.123Z frob.c:1:10: fatal error: bar.h: No such file or directory",
        "compile",
        "missing_header",
        "bar.h",
    ),
    message(
        "#12 3.456 frob.c:1:10: fatal error: bar.h: No such file or directory",
        "compile",
        "missing_header",
        "bar.h",
    ),
    message(
        "\x1b[01m\x1b[Kfrob.c:1:10:\x1b[m\x1b[K \x1b[01;31m\x1b[Kfatal error: \x1b[m\x1b[Kbar.h: No such file or directory",
        "compile",
        "missing_header",
        "bar.h",
    ),
    message(
        "May 01 10:00:00 host1 builder[12]: frob.c:1:10: fatal error: bar.h: No such file or directory",
        "compile",
        "missing_header",
        "bar.h",
    ),
    message(
        "frob.c:1:10: schwerwiegender Fehler: bar.h: Datei oder Verzeichnis nicht gefunden",
        "compile",
        "missing_header",
        "bar.h",
    ),
    message(
        "cp: no se puede crear el fichero regular '/usr/lib/frob.so': Permiso denegado\n"
        "make: *** [Makefile:3: install] Error 1",
        "",
        "permission",
        "/usr/lib/frob.so",
    ),
    message(
        "./libtool: line 1: 123 Segmentation fault (core dumped) ./gen\nmake: *** [x] Error 139",
        "compile",
        "source_code_error",
        "",
    ),
    message(
        "frob.appdata.xml: FAILED:\n"
        "• tag-invalid : <id> has invalid type\n"
        "Validation of files failed\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.X (%check)",
        "check",
        "test_failure|build_system_error",
        "frob.appdata.xml",
    ),
    message(
        "Error! Bad return status for module build on kernel: 6.8.0 (x86_64)\n"
        "Consult /var/lib/dkms/frob/1.0/build/make.log for more information.",
        "",
        "dependency_api_change",
        "6.8.0",
    ),
    message(
        "sphinx.errors.ExtensionError: Could not import extension frob_theme (exception: No module named 'frob_theme')",
        "",
        "python_import",
        "frob_theme",
    ),
    message(
        "error: option --frob not recognized",
        "",
        "build_system_error",
        "frob",
    ),
    message(
        "AttributeError: module 'pkgutil' has no attribute 'ImpImporter'",
        "",
        "dependency_api_change",
        "ImpImporter",
    ),
    message(
        "pkg_resources.DistributionNotFound: The 'frob>=2' distribution was not found and is required by x",
        "",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "ERROR Missing dependencies:\n\tsetuptools-frob>=3",
        "dependency-resolution",
        "missing_build_dependency",
        "setuptools-frob",
    ),
    message(
        "ERROR: Could not find a version that satisfies the requirement frob==9 (from versions: 1.0, 2.0)\n"
        "ERROR: No matching distribution found for frob==9",
        "dependency-resolution",
        "missing_build_dependency|version_conflict",
        "frob",
    ),
    message(
        "error: metadata-generation-failed\nRuntimeError: Cython required to build from source.",
        "",
        "missing_build_dependency",
        "Cython",
    ),
)
