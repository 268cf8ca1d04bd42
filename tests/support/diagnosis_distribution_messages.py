"""Messages of distribution builds: OBS, mock, Debian, and language packages in them."""

from __future__ import annotations

from typing import Final

from tests.support.diagnosis_message import Message, message

MESSAGES: Final[tuple[Message, ...]] = (
    message(
        "[    0s] calling /usr/lib/rpm/brp-suse\n"
        "[    1s] RPMLINT report:\n"
        "[    2s] frob.x86_64: E: shlib-policy-name-error (Badness: 10000) libfrob3\n"
        "[    3s] (badness 10000 exceeds threshold 1000, aborting.)",
        "",
        "build_system_error",
        "badness|shlib-policy",
    ),
    message(
        "[    0s] found conflict of frob-1-1 with bar-2-1\n[    1s] file /usr/bin/x from install of frob conflicts",
        "package",
        "version_conflict",
        "frob",
    ),
    message(
        "[    0s] Executing(%check): /bin/sh -e /var/tmp/rpm-tmp.x\n"
        "[    1s] =========================== short test summary info ============================\n"
        "[    2s] FAILED tests/test_io.py::TestIO::test_merge - AssertionError: 3 != 4\n"
        "[    3s] ================== 1 failed, 233 passed, 3 skipped in 12.22s ==================\n"
        "[    4s] error: Bad exit status from /var/tmp/rpm-tmp.x (%check)",
        "check",
        "test_failure",
        "test_merge",
    ),
    message(
        "[    0s] Executing(%check): /bin/sh -e /var/tmp/rpm-tmp.x\n"
        "[    1s] ImportError while importing test module '/x/tests/test_a.py'.\n"
        "[    2s] E   ModuleNotFoundError: No module named 'frobmock'\n"
        "[    3s] =========================== short test summary info ============================\n"
        "[    4s] ERROR tests/test_a.py\n"
        "[    5s] !!!!!!!! Interrupted: 1 error during collection !!!!!!!\n"
        "[    6s] === 1 error in 0.3s ===\n"
        "[    7s] error: Bad exit status from /var/tmp/rpm-tmp.x (%check)",
        "check",
        "python_import",
        "frobmock",
    ),
    message(
        "No matching package to install: 'golang(github.com/frob/x) >= 1.2'\n"
        "Not all dependencies satisfied\n"
        "Error: Some packages could not be found.",
        "dependency-resolution",
        "missing_build_dependency",
        "golang(github.com/frob/x)",
    ),
    message(
        "Updating and loading repositories:\n"
        ">>> Status code: 404 for https://kojipkgs.example.org/repos/f42/repodata/repomd.xml\n"
        'Failed to download metadata (baseurl: "https://kojipkgs.example.org/") for repository "build"\n',
        "infrastructure",
        "source_or_repo_unavailable",
        "build|kojipkgs",
    ),
    message(
        "Problem 1: cannot install the best candidate for the job\n"
        "  - nothing provides libfrob.so.4()(64bit) needed by bar-devel-1.x86_64 from build",
        "dependency-resolution",
        "version_conflict|missing_build_dependency",
        "libfrob.so.4",
    ),
    message(
        "error: package bar-1 requires frob = 1.2, but none of the providers can be installed",
        "dependency-resolution",
        "version_conflict",
        "frob = 1.2",
    ),
    message(
        "Error: Transaction test error:\n"
        "  file /usr/share/x from install of a-1.noarch conflicts with file from package b-2.noarch",
        "",
        "version_conflict",
        "/usr/share/x",
    ),
    message(
        "a.c:3:9: error: too many arguments to function ‘frob’; expected 0, have 2\nmake: *** [a.o] Error 1",
        "compile",
        "compiler_error_language_change",
        "frob",
    ),
    message(
        "a.c:3:9: error: conflicting types for ‘frob’; have ‘int(int)’\n"
        "   12 | x\n"
        "a.h:3:5: note: previous declaration of ‘frob’ with type ‘int(void)’\n"
        "make: *** [a.o] Error 1",
        "compile",
        "compiler_error_language_change",
        "frob",
    ),
    message(
        "a.c:3:9: error: cannot use keyword ‘false’ as enumeration constant\nmake: *** [a.o] Error 1",
        "compile",
        "compiler_error_language_change",
        "false",
    ),
    message(
        "a.cpp:4:2: error: ‘int32_t’ does not name a type\n"
        "a.cpp:1:1: note: ‘int32_t’ is defined in header ‘<cstdint>’; this is probably fixable by adding ‘#include <cstdint>’\n"
        "make: *** [a.o] Error 1",
        "compile",
        "compiler_error_language_change",
        "int32_t",
    ),
    message(
        "a.cpp:4:2: error: ‘setw’ was not declared in this scope\n"
        "a.cpp:1:1: note: ‘std::setw’ is defined in header ‘<iomanip>’; did you forget\n"
        "make: *** [a.o] Error 1",
        "compile",
        "compiler_error_language_change",
        "setw",
    ),
    message(
        "a.c:3:9: error: ‘struct tty_ldisc_ops’ has no member named ‘frob’\n"
        "make[3]: *** [scripts/Makefile.build:207: a.o] Error 1",
        "compile",
        "dependency_api_change",
        "frob",
    ),
    message(
        "a.c:12:3: error: too few arguments to function ‘timer_frob’\n"
        "make[3]: *** [scripts/Makefile.build:207: a.o] Error 1",
        "compile",
        "dependency_api_change",
        "timer_frob",
    ),
    message(
        "a.cpp:9: error: ‘FrobEnum’ in namespace ‘QtFrob’ does not name a type\nmake: *** [a.o] Error 1",
        "compile",
        "dependency_api_change",
        "FrobEnum",
    ),
    message(
        "a.cpp:9:3: error: ‘class QFrob’ has no member named ‘setSpin’; did you mean ‘spin’?\n"
        "ninja: build stopped: subcommand failed.",
        "compile",
        "dependency_api_change",
        "setSpin",
    ),
    message(
        "a.cpp:9:3: error: ‘exec’ is not a member of ‘frob::io’\nninja: build stopped: subcommand failed.",
        "compile",
        "dependency_api_change",
        "exec",
    ),
    message(
        "a.cpp:9:3: error: request for member ‘spin’ in ‘x’, which is of non-class type ‘int’\n"
        "ninja: build stopped: subcommand failed.",
        "compile",
        "source_code_error|dependency_api_change",
        "spin",
    ),
    message(
        "fatal error: opencv2/frob.hpp: No such file or directory\nmake: *** [a.o] Error 1",
        "compile",
        "missing_header",
        "opencv2/frob.hpp",
    ),
    message(
        "/bin/sh: line 1: sphinx-build-3: command not found\nmake: *** [Makefile:20: html] Error 127",
        "compile",
        "toolchain_missing",
        "sphinx-build-3",
    ),
    message(
        "which: no frobgen in (/usr/bin:/bin)\nfrobgen is required\nmake: *** [x] Error 1",
        "",
        "toolchain_missing",
        "frobgen",
    ),
    message(
        "tar: frob-1.0.tar.gz: Cannot open: No such file or directory\n"
        "tar: Error is not recoverable: exiting now\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%prep)",
        "prep",
        "missing_source_file",
        "frob-1.0.tar.gz",
    ),
    message(
        "error: File /home/abuild/rpmbuild/SOURCES/frob.tar.xz: No such file or directory\n",
        "prep",
        "missing_source_file",
        "frob.tar.xz",
    ),
    message(
        "tar: This does not look like a tar archive\n"
        "tar: Exiting with failure status due to previous errors\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%prep)",
        "prep",
        "missing_source_file|source_or_repo_unavailable|source_code_error",
        "",
    ),
    message(
        "error: line 5: Version not given in spec\n",
        "prep",
        "spec_macro_error",
        "ersion",
    ),
    message(
        "error: Invalid version (double separator '-'): 1.0--2: frob",
        "prep",
        "spec_macro_error",
        "",
    ),
    message(
        "error: Failed build dependencies:\n\tfrob-devel is needed by bar-1-1.x86_64",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-devel",
    ),
    message(
        "error: bad %if condition: %if 0%{?frob} > \n",
        "prep",
        "spec_macro_error",
        "%if",
    ),
    message(
        "error: /x/frob.spec: line 33: second %prep\n",
        "prep",
        "spec_macro_error",
        "",
    ),
    message(
        "STRIP: error\n"
        "/usr/lib/rpm/find-debuginfo.sh: line 188: eu-strip: command not found\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%install)",
        "install",
        "toolchain_missing|debuginfo_error",
        "eu-strip",
    ),
    message(
        "/usr/bin/debugedit: /builddir/x: Unknown DWARF DW_FORM_0x1f22\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%install)",
        "install",
        "debuginfo_error",
        "debugedit|DW_FORM",
    ),
    message(
        "gdb-add-index: No index was created for /x/usr/bin/frob\n"
        "*** ERROR: same build ID in nonidentical files!\n"
        "        /usr/bin/frob\n"
        "   and  /usr/bin/barb\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%install)",
        "install",
        "debuginfo_error",
        "",
    ),
    message(
        "Error: bundled Cargo: error: failed to load source for dependency `frob`\n"
        "\n"
        "Caused by:\n"
        "  Unable to update /x/vendor/frob\n"
        "\n"
        "Caused by:\n"
        "  failed to read `/x/vendor/frob/Cargo.toml`\n"
        "\n"
        "Caused by:\n"
        "  No such file or directory (os error 2)",
        "",
        "missing_build_dependency|vendor_lock_mismatch|missing_source_file|build_system_error",
        "frob",
    ),
    message(
        "error: the listed checksum of `/x/vendor/frob/src/lib.rs` has changed:\nexpected: a\nactual: b",
        "",
        "vendor_lock_mismatch",
        "frob",
    ),
    message(
        "warning: spurious network error (3 tries remaining): [6] Couldn't resolve host name (Could not resolve host: index.crates.io)\n"
        "error: failed to get `frob` as a dependency of package `x v0.1.0`\n"
        "Caused by:\n"
        "  failed to query replaced source registry `crates-io`\n"
        "Caused by:\n"
        "  download of config.json failed",
        "",
        "network_in_build",
        "frob|index.crates.io|config.json",
    ),
    message(
        "error[E0599]: no method named `spin` found for struct `Frob` in the current scope\n"
        "  --> src/main.rs:3:5\n"
        'error: could not compile `x` (bin "x")',
        "compile",
        "dependency_api_change|source_code_error",
        "spin",
    ),
    message(
        "error: expected one of `!` or `::`, found `x`\n --> src/main.rs:3:5\nerror: could not compile `x`",
        "compile",
        "source_code_error",
        "main.rs|expected",
    ),
    message(
        "thread 'main' panicked at build.rs:5:\n"
        'called `Result::unwrap()` on an `Err` value: "Could not run `pkg-config --libs frob`"\n'
        "The system library `frob` required by crate `frob-sys` was not found.\n"
        "error: failed to run custom build command for `frob-sys v1.0`",
        "compile",
        "missing_library",
        "frob",
    ),
    message(
        "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.0:test (default-test) on project x: There are test failures.\n"
        "[ERROR]   FrobTest.testMerge:42 expected:<1> but was:<2>\n"
        "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
        "check",
        "test_failure",
        "FrobTest",
    ),
    message(
        "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.8:compile (default-compile) on project x: Fatal error compiling: error: invalid target release: 21 -> [Help 1]",
        "",
        "toolchain_version",
        "21",
    ),
    message(
        "[ERROR] Non-resolvable parent POM for org.x:x:1: Could not find artifact org.frob:frob-parent:pom:9 in central",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-parent",
    ),
    message(
        "[ERROR] Failed to execute goal on project x: Could not resolve dependencies for project a:b:jar:1: Failed to collect dependencies at org.frob:frob:jar:1.0: Failed to read artifact descriptor: Could not transfer artifact org.frob:frob:pom:1.0 from/to central (https://repo.maven.apache.org/maven2): repo.maven.apache.org: Name or service not known",
        "dependency-resolution",
        "network_in_build|missing_build_dependency",
        "frob",
    ),
    message(
        "src/A.java:7: error: cannot find symbol\n"
        "        Frob.spin();\n"
        "            ^\n"
        "  symbol:   method spin()\n"
        "  location: class Frob\n"
        "1 error",
        "compile",
        "source_code_error|dependency_api_change",
        "spin",
    ),
    message(
        "error: Source option 7 is no longer supported. Use 8 or later.\n",
        "",
        "toolchain_version",
        "7",
    ),
    message(
        "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.",
        "",
        "toolchain_missing",
        "JAVA_HOME",
    ),
    message(
        "dh_auto_configure: error: cmake -S. returned exit code 1\n"
        "CMake Error at CMakeLists.txt:2 (find_package):\n"
        '  Could not find a package configuration file provided by "Qt6" with any of\n'
        "  the following names:\n"
        "\n"
        "    Qt6Config.cmake",
        "configure",
        "missing_library",
        "Qt6",
    ),
    message(
        "dh_auto_test: error: cd build && make -j1 test ARGS\\+=--verbose returned exit code 2\n"
        "The following tests FAILED:\n"
        "\t  7 - frob-io (Timeout)\n",
        "check",
        "timeout",
        "frob-io",
    ),
    message(
        "debian/rules:12: *** missing separator.  Stop.\n"
        "dpkg-buildpackage: error: debian/rules clean subprocess returned exit status 2",
        "",
        "build_system_error",
        "missing separator",
    ),
    message(
        "dh_shlibdeps: error: x\n"
        "dpkg-shlibdeps: error: cannot find library libfrob.so.1 needed by debian/x/usr/bin/x (ELF format: 'elf64-x86-64')",
        "package",
        "missing_library|packaged_file_missing|version_conflict",
        "libfrob.so.1",
    ),
    message(
        "dpkg-gensymbols: error: some symbols or patterns disappeared in the symbols file: see diff output below\n"
        "- frob_old@Base 1.0\n"
        "dh_makeshlibs: error: failing due to earlier errors",
        "",
        "packaged_file_missing|build_system_error|dependency_api_change",
        "",
    ),
    message(
        "bash: line 1: 12 Killed                  python3 setup.py build\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%build)",
        "compile",
        "out_of_memory",
        "python3",
    ),
    message(
        "{standard input}: Assembler messages:\n"
        "{standard input}:3: Error: unknown mnemonic `frobx' -- `frobx r1'\n"
        "make: *** [a.o] Error 1",
        "compile",
        "architecture_unsupported",
        "frobx",
    ),
    message(
        "configure: error: unsupported host architecture: loongarch64",
        "configure",
        "architecture_unsupported",
        "loongarch64",
    ),
    message(
        'src/arch.h:12:2: error: #error "Unknown endianness for this CPU"\nmake: *** [a.o] Error 1',
        "compile",
        "architecture_unsupported",
        "",
    ),
    message(
        "../meson.build:10:4: ERROR: Unsupported architecture 'riscv64'",
        "configure",
        "architecture_unsupported",
        "riscv64",
    ),
)
