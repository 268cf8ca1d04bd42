"""Messages while sources are prepared, configured, compiled and linked."""

from __future__ import annotations

from typing import Final

from tests.support.diagnosis_message import Message, message

MESSAGES: Final[tuple[Message, ...]] = (
    message(
        "configure: error: Package requirements (glib-2.0 >= 2.99) were not met:\n"
        "\n"
        "Requested 'glib-2.0 >= 2.99' but version of GLib is 2.74",
        "configure",
        "version_conflict",
        "glib-2.0",
    ),
    message(
        "configure: error: C compiler cannot create executables\nSee `config.log' for more details",
        "configure",
        "toolchain_missing",
        "C compiler",
    ),
    message(
        "configure: error: no acceptable C compiler found in $PATH",
        "configure",
        "toolchain_missing",
        "C compiler",
    ),
    message(
        "configure: error: libfrob headers not found",
        "configure",
        "missing_library|missing_header",
        "libfrob",
    ),
    message(
        "configure: error: frobnicate.h not found, please install frob-devel",
        "configure",
        "missing_header",
        "frobnicate.h",
    ),
    message(
        "checking for yacc... no\nconfigure: error: bison or yacc is required",
        "configure",
        "toolchain_missing",
        "bison",
    ),
    message(
        "configure: error: OpenSSL >= 3.0 is required",
        "configure",
        "version_conflict|missing_library",
        "OpenSSL",
    ),
    message(
        "configure: error: cannot find frob library",
        "configure",
        "missing_library",
        "frob",
    ),
    message(
        "configure: error: The pkg-config script could not be found or is too old.",
        "configure",
        "toolchain_missing",
        "pkg-config",
    ),
    message(
        "configure: error: unrecognized option: `--with-frob'",
        "configure",
        "build_system_error",
        "--with-frob",
    ),
    message(
        "config.guess: unable to guess system type\n"
        "\n"
        "UNAME_MACHINE = loongarch64\n"
        "configure: error: cannot guess build type; you must specify one",
        "configure",
        "architecture_unsupported",
        "loongarch64|guess",
    ),
    message(
        "CMake Error at CMakeLists.txt:3 (find_package):\n"
        '  By not providing "FindFrob.cmake" in CMAKE_MODULE_PATH this project has\n'
        '  asked CMake to find a package configuration file provided by "Frob", but\n'
        "  CMake did not find one.\n"
        "-- Configuring incomplete, errors occurred!",
        "configure",
        "missing_library",
        "Frob",
    ),
    message(
        "CMake Error at /usr/share/cmake/Modules/FindPackageHandleStandardArgs.cmake:230 (message):\n"
        "  Could NOT find Frob (missing: FROB_LIBRARY FROB_INCLUDE_DIR)\n"
        "Call Stack\n"
        "-- Configuring incomplete, errors occurred!",
        "configure",
        "missing_library",
        "Frob",
    ),
    message(
        "CMake Error at /usr/share/cmake/Modules/FindPackageHandleStandardArgs.cmake:230 (message):\n"
        '  Could NOT find Boost: Found unsuitable version "1.66.0", but required is at\n'
        '  least "1.71" (found /usr/include, )\n'
        "-- Configuring incomplete, errors occurred!",
        "configure",
        "version_conflict",
        "Boost",
    ),
    message(
        "CMake Error at CMakeLists.txt:8 (find_package):\n"
        '  Could not find a configuration file for package "Frob" that is compatible\n'
        '  with requested version "3.0".\n'
        "\n"
        "  The following configuration files were considered but not accepted:\n"
        "    /usr/lib64/cmake/Frob/FrobConfig.cmake, version: 2.1\n"
        "-- Configuring incomplete",
        "configure",
        "version_conflict",
        "Frob",
    ),
    message(
        "CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n"
        "  Compatibility with CMake < 3.5 has been removed from CMake.\n"
        "\n"
        "  Update the VERSION argument <min> value.\n"
        "-- Configuring incomplete, errors occurred!",
        "configure",
        "toolchain_version",
        "CMake < 3.5",
    ),
    message(
        'CMake Error: CMake was unable to find a build program corresponding to "Ninja".  CMAKE_MAKE_PROGRAM is not set.',
        "configure",
        "toolchain_missing",
        "Ninja",
    ),
    message(
        "-- Checking for module 'frob>=2'\n"
        "--   No package 'frob' found\n"
        "CMake Error at /usr/share/cmake/Modules/FindPkgConfig.cmake:607 (message):\n"
        "  A required package was not found\n"
        "-- Configuring incomplete, errors occurred!",
        "configure",
        "missing_library",
        "frob",
    ),
    message(
        "CMake Error at a/CMakeLists.txt:9 (target_link_libraries):\n"
        '  Target "x" links to:\n'
        "\n"
        "    Frob::Core\n"
        "\n"
        "  but the target was not found.  Possible reasons include:\n"
        "-- Generating done",
        "configure",
        "missing_library",
        "Frob::Core",
    ),
    message(
        '../meson.build:21:8: ERROR: Dependency "frob-1.0" not found, tried pkgconfig and cmake',
        "configure",
        "missing_library",
        "frob-1.0",
    ),
    message(
        "../meson.build:21:8: ERROR: Dependency 'frob' is required but not found.",
        "configure",
        "missing_library",
        "frob",
    ),
    message(
        "meson.build:1:0: ERROR: Meson version is 0.55.3 but project requires >= 0.60",
        "configure",
        "toolchain_version",
        "0.60",
    ),
    message(
        "meson.build:3:0: ERROR: Program 'frobgen' not found or not executable",
        "configure",
        "toolchain_missing",
        "frobgen",
    ),
    message(
        "meson.build:3:0: ERROR: C shared or static library 'frob' not found",
        "configure",
        "missing_library",
        "frob",
    ),
    message(
        "meson.build:9:2: ERROR: Problem encountered: frob >= 2 is required",
        "configure",
        "missing_library|version_conflict",
        "frob",
    ),
    message(
        "Run-time dependency frob found: NO (tried pkgconfig and cmake)\n"
        "Looking for a fallback subproject for the dependency frob\n"
        "meson.build:4:0: ERROR: Automatic wrap-based subproject downloading is disabled",
        "configure",
        "missing_library|network_in_build",
        "frob|wrap",
    ),
    message(
        "make: *** No rule to make target 'src/tables.h', needed by 'all'.  Stop.",
        "compile",
        "build_system_error",
        "src/tables.h",
    ),
    message(
        "make: *** 没有规则可制作目标“src/tables.h”，由“all” 需求。 停止。",
        "compile",
        "build_system_error",
        "src/tables.h",
    ),
    message(
        "ninja: error: 'src/gen.h', needed by 'x.o', missing and no known rule to make it",
        "compile",
        "build_system_error",
        "src/gen.h",
    ),
    message(
        "Makefile:5: *** missing separator.  Stop.",
        "compile",
        "build_system_error",
        "missing separator",
    ),
    message(
        "+ cd frob-1.0\n"
        "/var/tmp/rpm-tmp.X: line 37: cd: frob-1.0: No such file or directory\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.X (%prep)",
        "prep",
        "missing_source_file",
        "frob-1.0",
    ),
    message(
        "error: Bad source: /home/abuild/rpmbuild/SOURCES/frob.patch: No such file or directory",
        "prep",
        "missing_source_file",
        "frob.patch",
    ),
    message(
        "error: line 22: Unknown tag: %systemd_frob",
        "prep",
        "spec_macro_error",
        "%systemd_frob",
    ),
    message(
        "error: /home/abuild/x.spec:12: Unclosed %if",
        "prep",
        "spec_macro_error",
        "%if",
    ),
    message(
        "error: %patchN is obsolete, use %patch N (or %patch -P N): %patch0 -p1",
        "prep",
        "spec_macro_error",
        "%patch",
    ),
    message(
        "/var/tmp/rpm-tmp.A: line 44: %frob_build: command not found\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.A (%build)",
        "compile",
        "spec_macro_error",
        "%frob_build",
    ),
    message(
        "error: Installed (but unpackaged) file(s) found:\n"
        "   /usr/share/man/man1/frob.1.gz\n"
        "\n"
        "RPM build errors:\n"
        "    Installed (but unpackaged) file(s) found:\n"
        "   /usr/share/man/man1/frob.1.gz",
        "package",
        "unpackaged_files",
        "/usr/share/man/man1/frob.1.gz",
    ),
    message(
        "错误：发现已安装(但未打包的)文件：\n   /usr/share/frob/x\n",
        "package",
        "unpackaged_files",
        "/usr/share/frob/x",
    ),
    message(
        "error: File not found: /builddir/build/BUILDROOT/frob-1.0-1.x86_64/usr/lib64/libfrob.so.3\n"
        "\n"
        "RPM build errors:\n"
        "    File not found: /builddir/build/BUILDROOT/frob-1.0-1.x86_64/usr/lib64/libfrob.so.3",
        "package",
        "packaged_file_missing",
        "/usr/lib64/libfrob.so.3",
    ),
    message(
        "error: Directory not found: /home/abuild/rpmbuild/BUILD/frob-1-build/BUILDROOT/usr/share/frob\n",
        "package",
        "packaged_file_missing",
        "/usr/share/frob",
    ),
    message(
        "error: Empty %files file /builddir/build/BUILD/frob-1/debugsourcefiles.list",
        "package",
        "debuginfo_error",
        "debugsourcefiles.list",
    ),
    message(
        "error: Could not open %files file /b/frob-1/debugfiles.list: No such file or directory",
        "package",
        "debuginfo_error",
        "debugfiles.list",
    ),
    message(
        "*** ERROR: No build ID note found in /builddir/build/BUILDROOT/frob/usr/bin/frob\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.X (%install)",
        "",
        "debuginfo_error",
        "frob",
    ),
    message(
        "Patch #3 (frob-fix.patch):\n"
        "+ patch -p1 -s\n"
        "1 out of 2 hunks FAILED -- saving rejects to file src/a.c.rej\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.X (%prep)",
        "prep",
        "patch_does_not_apply",
        "frob-fix.patch",
    ),
    message(
        "Patch #3 (frob-fix.patch):\n"
        "Reversed (or previously applied) patch detected!  Skipping patch.\n"
        "2 out of 2 hunks ignored -- saving rejects to file src/a.c.rej",
        "prep",
        "patch_does_not_apply",
        "frob-fix.patch",
    ),
    message(
        "error: patch failed: src/a.c:12\nerror: src/a.c: patch does not apply\nPatch failed at 0003 fix frob",
        "prep",
        "patch_does_not_apply",
        "src/a.c",
    ),
    message(
        "Applying patch debian/patches/frob.patch\nPatch frob.patch does not apply (enforce with -f)",
        "prep",
        "patch_does_not_apply",
        "frob.patch",
    ),
    message(
        "dpkg-source: error: LC_ALL=C patch -t -F 0 -N -p1 -u -V never -E -b -B .pc/frob.patch/ --reject-file=- < x/debian/patches/frob.patch subprocess returned exit status 1",
        "prep",
        "patch_does_not_apply",
        "frob.patch",
    ),
    message(
        "dpkg-checkbuilddeps: error: Unmet build dependencies: libfrob-dev (>= 2)\n"
        "dpkg-buildpackage: warning: build dependencies/conflicts unsatisfied; aborting",
        "dependency-resolution",
        "missing_build_dependency",
        "libfrob-dev",
    ),
    message(
        "dh_missing: warning: usr/share/x/y exists in debian/tmp but is not installed to anywhere\n"
        "dh_missing: error: missing files, aborting",
        "package",
        "unpackaged_files",
        "usr/share/x/y",
    ),
    message(
        "dh_install: warning: x missing files: usr/lib/*/frob.so\ndh_install: error: missing files, aborting",
        "package",
        "packaged_file_missing",
        "frob.so",
    ),
    message(
        "ModuleNotFoundError: No module named 'frob'\nerror: Bad exit status from /var/tmp/rpm-tmp.X (%build)",
        "compile",
        "python_import",
        "frob",
    ),
    message(
        "E   ModuleNotFoundError: No module named 'frob'\n"
        "=== short test summary info ===\n"
        "ERROR tests/test_a.py\n"
        "!!! Interrupted: 1 error during collection !!!",
        "check",
        "python_import",
        "frob",
    ),
    message(
        "FAILED tests/test_a.py::test_b - assert 1 == 2\n=== 1 failed, 20 passed in 1.2s ===",
        "check",
        "test_failure",
        "test_b",
    ),
    message(
        "FAIL: test_b (tests.A.test_b)\n----\nAssertionError: 1 != 2\nRan 5 tests in 0.1s\nFAILED (failures=1)",
        "check",
        "test_failure",
        "test_b",
    ),
    message(
        "        FAILED  [ 33%] x\n"
        "The following tests FAILED:\n"
        "\t  3 - frob_parse (Failed)\n"
        "Errors while running CTest",
        "check",
        "test_failure",
        "frob_parse",
    ),
    message(
        "[  FAILED  ] FrobTest.Merge (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] FrobTest.Merge",
        "check",
        "test_failure",
        "FrobTest.Merge",
    ),
    message(
        "FAIL: test-frob.sh\n=== \n# TOTAL: 5\n# FAIL:  1\nmake[2]: *** [Makefile:800: test-suite.log] Error 1",
        "check",
        "test_failure",
        "test-frob.sh",
    ),
    message(
        "t/frob.t ...... Dubious, test returned 1 (wstat 256, 0x100)\nFailed 1/3 subtests\nResult: FAIL",
        "check",
        "test_failure",
        "t/frob.t",
    ),
    message(
        "#   Failed test 'merge works'\n#   at t/x.t line 3.\nt/x.t .. Dubious, test returned 1",
        "check",
        "test_failure",
        "t/x.t|merge works",
    ),
    message(
        "--- FAIL: TestFrob (0.00s)\nFAIL\nFAIL\texample.org/x\t0.01s",
        "check",
        "test_failure",
        "TestFrob",
    ),
    message(
        "  1) Frob merges:\n     AssertionError\n  12 passing (20ms)\n  1 failing\n",
        "check",
        "test_failure",
        "",
    ),
    message(
        "Can't locate Frob/Bar.pm in @INC (you may need to install the Frob::Bar module) (@INC contains: /x) at Makefile.PL line 3.\n"
        "BEGIN failed--compilation aborted at Makefile.PL line 3.",
        "",
        "missing_build_dependency",
        "Frob",
    ),
    message(
        "Could not find gem 'frob (~> 2.0)' in locally installed gems.",
        "dependency-resolution",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "<internal:/usr/share/ruby>: in `require': cannot load such file -- frob (LoadError)",
        "",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "Could not find module ‘Frob.Bar’\n    It is not a module in the current program",
        "compile",
        "missing_build_dependency",
        "Frob.Bar",
    ),
    message(
        "Error: cabal: Could not resolve dependencies:\n"
        "[__0] trying: x-1 (user goal)\n"
        "[__1] unknown package: frob (dependency of x)",
        "dependency-resolution",
        "version_conflict|missing_build_dependency",
        "frob",
    ),
    message(
        'Error: Library "frob" not found.\n-> required by',
        "",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "ocamlfind: Package `frob' not found",
        "",
        "missing_build_dependency",
        "frob",
    ),
    message(
        "error: no such module 'Frob'",
        "compile",
        "missing_build_dependency",
        "Frob",
    ),
)
