"""Messages of tool chains, more rarely seen."""

from __future__ import annotations

from typing import Final

from tests.support.diagnosis_message import Message, message

MESSAGES: Final[tuple[Message, ...]] = (
    message(
        "configure: error: host cpu vax9000 not supported.",
        "configure",
        "architecture_unsupported",
        "vax9000",
    ),
    message(
        "configure: error: Machine vax9000 is not supported",
        "configure",
        "architecture_unsupported",
        "vax9000",
    ),
    message(
        "make: *** [Makefile:12: check] Error 2\nTest timeout expired: t_slow\n",
        "",
        "timeout",
        "",
    ),
    message(
        "timeout => sending SIGTERM to t_slow\nerror: Bad exit status from /var/tmp/rpm-tmp.x (%check)",
        "check",
        "timeout",
        "t_slow",
    ),
    message(
        "Running t_slow ...\ntimeout: the monitored command dumped core\nmake: *** [check] Error 124",
        "check",
        "timeout",
        "",
    ),
    message(
        "setup.py:3: error\n"
        '  File "setup.py", line 4\n'
        "    print 'x'\n"
        "    ^^^^^^^^^\n"
        "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
        "",
        "source_code_error",
        "setup.py",
    ),
    message(
        "Traceback (most recent call last):\n"
        '  File "setup.py", line 2, in <module>\n'
        "    from distutils.core import setup\n"
        "ModuleNotFoundError: No module named 'distutils'",
        "",
        "python_import",
        "distutils",
    ),
    message(
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "",
        "disk_full",
        "",
    ),
    message(
        "fatal error: error writing to -: No space left on device\nmake: *** [x] Error 1",
        "",
        "disk_full",
        "",
    ),
    message(
        "npm ERR! code ENOSPC\nnpm ERR! syscall write\nnpm ERR! nospc ENOSPC: no space left on device, write",
        "",
        "disk_full",
        "",
    ),
    message(
        "OSError: [Errno 12] Cannot allocate memory",
        "",
        "out_of_memory",
        "",
    ),
    message(
        "collect2: fatal error: ld terminated with signal 9 [Killed]\ncompilation terminated.\nmake: *** [x] Error 1",
        "link",
        "out_of_memory",
        "ld",
    ),
    message(
        "[ERROR] Java heap space -> [Help 1]\njava.lang.OutOfMemoryError: Java heap space",
        "",
        "out_of_memory",
        "",
    ),
    message(
        "x86_64-linux-gnu-gcc: fatal error: Killed signal terminated program cc1\nmake[2]: *** [x.o] Error 1",
        "compile",
        "out_of_memory",
        "cc1",
    ),
    message(
        "dpkg-shlibdeps: error: no dependency information found for /usr/local/lib/libfrob.so.1 (used by debian/x)",
        "package",
        "missing_library|packaged_file_missing|version_conflict|build_system_error",
        "libfrob.so.1",
    ),
    message(
        "dpkg-source: error: can't build with source format '3.0 (quilt)': no upstream tarball found at ../frob_1.0.orig.tar.{bz2,gz,lzma,xz}",
        "",
        "missing_source_file",
        "frob_1.0.orig.tar",
    ),
    message(
        "dpkg-source: error: unwanted binary file: debian/x.png",
        "",
        "build_system_error|source_code_error",
        "",
    ),
    message(
        "cp: cannot stat 'debian/tmp/usr/share/frob': No such file or directory\n"
        "dh_install: error: cp --reflink=auto -a debian/tmp/usr/share/frob debian/x/ returned exit code 1",
        "package",
        "packaged_file_missing",
        "usr/share/frob",
    ),
    message(
        "dh: error: unable to load addon frobber: Can't locate Debian/Debhelper/Sequence/frobber.pm in @INC",
        "",
        "missing_build_dependency",
        "frobber",
    ),
    message(
        "make: dh: No such file or directory\nmake: *** [debian/rules:4: binary] Error 127",
        "",
        "toolchain_missing",
        "dh",
    ),
    message(
        "debian/rules: line 3: dh_frob: command not found",
        "",
        "toolchain_missing",
        "dh_frob",
    ),
    message(
        "error: cannot open file './vendor/frob.c'\n"
        "make: *** No rule to make target 'vendor/frob.c', needed by 'frob.o'.  Stop.",
        "",
        "build_system_error|missing_source_file",
        "vendor/frob.c",
    ),
    message(
        "go: cannot find main module, but found .git/config in /x\n\tto create a module there, run:\n\tgo mod init",
        "",
        "missing_source_file|build_system_error",
        "go.mod|main module",
    ),
    message(
        "# example.org/x\n./m.go:5:2: x declared and not used\nmake: *** [b] Error 1",
        "compile",
        "source_code_error",
        "m.go",
    ),
    message(
        "# example.org/x\n./m.go:5:2: syntax error: unexpected newline, expected expression",
        "compile",
        "source_code_error",
        "m.go",
    ),
    message(
        "note: module requires Go 1.25\n# example.org/x\n./m.go:5:2: undefined: slices.Frob",
        "",
        "toolchain_version",
        "1.25",
    ),
    message(
        "go: example.org/frob@v1.0.0 requires go >= 1.24 (running go 1.22)",
        "",
        "toolchain_version",
        "1.24",
    ),
    message(
        "go: downloading go1.24 (linux/amd64)\ngo: download go1.24 for linux/amd64: toolchain not available",
        "",
        "toolchain_version",
        "go1.24",
    ),
    message(
        "build constraints exclude all Go files in /x/vendor/frob",
        "",
        "architecture_unsupported",
        "frob",
    ),
    message(
        "error: package `clap v4.5` cannot be built because it requires rustc 1.74 or newer, while the currently active rustc version is 1.66.1\n",
        "",
        "toolchain_version",
        "1.74",
    ),
    message(
        "error: failed to download `frob v1.2.3`\n"
        "\n"
        "Caused by:\n"
        "  attempting to make an HTTP request, but --offline was specified",
        "dependency-resolution",
        "network_in_build|missing_build_dependency",
        "frob",
    ),
    message(
        "error: no matching package named `frob` found\n"
        "location searched: crates.io index\n"
        "required by package `x v0.1.0`\n"
        "As a reminder, you're using offline mode",
        "dependency-resolution",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "error: failed to parse lock file at: /x/Cargo.lock\n"
        "\n"
        "Caused by:\n"
        "  lock file version `4` was found, but this version of Cargo does not understand this lock file, perhaps Cargo needs to be updated?",
        "",
        "toolchain_version",
        "Cargo.lock|4",
    ),
    message(
        "---- parse::tests::leap stdout ----\n"
        "thread 'parse::tests::leap' panicked at src/lib.rs:3:5:\n"
        "assertion `left == right` failed\n"
        "failures:\n"
        "    parse::tests::leap\n"
        "test result: FAILED. 3 passed; 1 failed",
        "check",
        "test_failure",
        "leap",
    ),
    message(
        'npm error Missing script: "bundle"\nnpm error To see a list of scripts, run:',
        "",
        "build_system_error",
        "bundle",
    ),
    message(
        "npm error code EUSAGE\n"
        "npm error\n"
        "npm error The `npm ci` command can only install with an existing package-lock.json or",
        "dependency-resolution",
        "vendor_lock_mismatch|missing_source_file",
        "package-lock.json|npm ci",
    ),
    message(
        '✘ [ERROR] Could not resolve "frob-ui"\n    src/a.ts:1:7',
        "",
        "missing_build_dependency",
        "frob-ui",
    ),
    message(
        'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with package.json',
        "dependency-resolution",
        "vendor_lock_mismatch",
        "pnpm-lock.yaml",
    ),
    message(
        "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-enforcer-plugin:3.0:enforce (x) on project y: Some Enforcer rules have failed.\n"
        "[ERROR] Rule 0: org.apache.maven.enforcer.rules.version.RequireJavaVersion failed with message:\n"
        "[ERROR] Detected JDK version 11.0.2 is not in the allowed range [17,).",
        "",
        "toolchain_version",
        "JDK|RequireJavaVersion",
    ),
    message(
        "[ERROR] 'dependencies.dependency.version' for org.frob:frob:jar is missing. @ line 9",
        "",
        "build_system_error",
        "",
    ),
    message(
        "[ERROR] The goal you specified requires a project to execute but there is no POM in this directory (/x).",
        "",
        "build_system_error|missing_source_file",
        "POM",
    ),
    message(
        "Error: Unable to access jarfile frob.jar\n",
        "",
        "missing_source_file|missing_build_dependency",
        "frob.jar",
    ),
    message(
        "Error: Could not find or load main class org.frob.Main\n"
        "Caused by: java.lang.ClassNotFoundException: org.frob.Main",
        "",
        "missing_build_dependency|missing_source_file",
        "org.frob.Main",
    ),
    message(
        "src/A.java:3: error: class Frob is public, should be declared in a file named Frob.java",
        "compile",
        "source_code_error",
        "A.java",
    ),
    message(
        "error: invalid source release: 21",
        "",
        "toolchain_version",
        "21",
    ),
    message(
        'Exception in thread "main" java.lang.UnsupportedClassVersionError: org/x/A has been compiled by a more recent version of the Java Runtime (class file version 65.0)',
        "",
        "toolchain_version",
        "65.0|UnsupportedClass",
    ),
    message(
        'CMake Error: The source directory "/x/y" does not appear to contain CMakeLists.txt.',
        "configure",
        "missing_source_file",
        "/x/y",
    ),
    message(
        "CMake Error at CMakeLists.txt:5 (message):\n"
        "  In-source builds are not allowed\n"
        "-- Configuring incomplete, errors occurred!",
        "configure",
        "build_system_error",
        "In-source",
    ),
    message(
        "CMake Error at CMakeLists.txt:9:\n"
        '  Parse error.  Expected a command name, got unquoted argument with text "foo".\n'
        "-- Configuring incomplete",
        "configure",
        "build_system_error",
        "CMakeLists.txt",
    ),
    message(
        "CMake Error at CMakeLists.txt:9 (set_target_properties):\n"
        "  set_target_properties called with incorrect number of arguments.\n"
        "-- Configuring incomplete",
        "configure",
        "build_system_error",
        "CMakeLists.txt|set_target",
    ),
    message(
        "CMake Error at CMakeLists.txt:7 (target_compile_features):\n"
        '  target_compile_features The compiler feature "cxx_std_23" is not known to CXX\n'
        "  compiler\n"
        "-- Configuring incomplete",
        "configure",
        "toolchain_version",
        "cxx_std_23",
    ),
    message(
        "CMake Error in CMakeLists.txt:\n"
        '  Target "a" requires the language dialect "CXX26" (with compiler extensions).\n'
        '  But the current compiler "GNU" does not support this',
        "configure",
        "toolchain_version",
        "CXX26",
    ),
    message(
        "CMake Error: Could not create named generator Frob Makefiles",
        "configure",
        "build_system_error|toolchain_missing",
        "Frob Makefiles",
    ),
    message(
        "Error: could not load cache\n",
        "",
        "build_system_error|source_code_error",
        "",
    ),
    message(
        "src/meson.build:3:0: ERROR: Include dir frobinc does not exist.",
        "configure",
        "missing_source_file|build_system_error",
        "frobinc",
    ),
    message(
        "meson.build:3:13: ERROR: Expecting eof got rparen.",
        "configure",
        "build_system_error",
        "xpecting",
    ),
    message(
        'meson.build:7:0: ERROR: Unknown function "frobnicate".',
        "configure",
        "build_system_error",
        "frobnicate",
    ),
    message(
        'meson.build:1:0: ERROR: Value "frob" (of type "string") for option "mode" is not one of the choices.',
        "configure",
        "build_system_error",
        "",
    ),
    message(
        "Makefile:3: *** frob is not installed, please install it.  Stop.",
        "",
        "build_system_error|toolchain_missing|missing_library",
        "frob",
    ),
    message(
        "Makefile:9: config.mk: No such file or directory\nmake: *** No rule to make target 'config.mk'.  Stop.",
        "",
        "build_system_error|missing_source_file",
        "config.mk",
    ),
    message(
        "make: *** No rule to make target 'install'.  Stop.\nerror: Bad exit status from /var/tmp/rpm-tmp.x (%install)",
        "install",
        "build_system_error",
        "install",
    ),
    message(
        "aclocal: error: couldn't open directory 'm4': No such file or directory\n"
        "autoreconf: aclocal failed with exit status: 1",
        "configure",
        "missing_source_file|build_system_error",
        "m4",
    ),
    message(
        "configure.ac:9: error: required file './ltmain.sh' not found\nautoreconf: automake failed with exit status: 1",
        "configure",
        "build_system_error|missing_source_file",
        "ltmain.sh",
    ),
    message(
        'Can\'t exec "libtoolize": No such file or directory at /usr/share/autoconf/Autom4te/FileUtils.pm line 274.\n'
        "autoreconf: failed to run libtoolize: No such file or directory",
        "configure",
        "toolchain_missing",
        "libtoolize",
    ),
)
