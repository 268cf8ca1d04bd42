"""Messages while the build root is set up, packages resolved and sources fetched."""

from __future__ import annotations

from typing import Final

from tests.support.diagnosis_message import Message, message

MESSAGES: Final[tuple[Message, ...]] = (
    message(
        "error: nothing provides libfoo-devel >= 3.2 needed by bar-1.0-1.x86_64",
        "dependency-resolution",
        "version_conflict",
        "libfoo-devel",
    ),
    message(
        "nothing provides python3dist(frob) needed by python3-bar-1.0",
        "dependency-resolution",
        "missing_build_dependency",
        "python3dist(frob)",
    ),
    message(
        "unresolvable: nothing provides pkgconfig(Qt6Frob)",
        "dependency-resolution",
        "missing_build_dependency",
        "pkgconfig(Qt6Frob)",
    ),
    message(
        "unresolvable: have choice for libfrob.so.1()(64bit) needed by bar: frob-a frob-b",
        "dependency-resolution",
        "missing_build_dependency",
        "libfrob.so.1",
    ),
    message(
        "unresolvable: conflict for providers of kernel-headers: kernel-a kernel-b",
        "dependency-resolution",
        "version_conflict",
        "kernel-headers",
    ),
    message(
        "Error: \n"
        " Problem: package foo-devel-2.1-1.fc42.x86_64 from fedora requires libbar.so.3()(64bit), but none of the providers can be installed\n"
        "  - conflicting requests\n"
        "  - nothing provides libbaz.so.7()(64bit) needed by bar-3-1.x86_64",
        "dependency-resolution",
        "version_conflict",
        "libba",
    ),
    message(
        "错误：没有任何匹配: frob-devel\n",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-devel",
    ),
    message(
        "未找到匹配的参数: frob-devel\n错误：没有任何匹配: frob-devel",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-devel",
    ),
    message(
        "错误：构建依赖失败：\n\tfrob-devel >= 1.2 被 bar-1.0-1.x86_64 需要\n",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-devel",
    ),
    message(
        "Failed to resolve the transaction:\n"
        "No match for argument: frob-devel\n"
        "You can try to add to command line:\n"
        "  --skip-unavailable to skip unavailable packages",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-devel",
    ),
    message(
        "Problem: nothing provides 'frob >= 3' needed by the to be installed bar-1.x86_64",
        "dependency-resolution",
        "version_conflict",
        "frob",
    ),
    message(
        "E: Unable to locate package libfrob-dev",
        "dependency-resolution",
        "missing_build_dependency",
        "libfrob-dev",
    ),
    message(
        "The following packages have unmet dependencies:\n"
        " builddeps:bar : Depends: libfrob-dev (>= 2.0) but it is not installable\n"
        "E: Unable to correct problems, you have held broken packages.",
        "dependency-resolution",
        "missing_build_dependency",
        "libfrob-dev",
    ),
    message(
        " sbuild-build-depends-main-dummy : Depends: libfrob-dev (>= 2.0) but 1.8-1 is to be installed\n"
        "E: Unable to correct problems",
        "dependency-resolution",
        "version_conflict",
        "libfrob-dev",
    ),
    message(
        "ERROR: unable to select packages:\n"
        "  frob-dev (no such package):\n"
        "    required by: .makedepends-bar-2024[frob-dev]",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-dev",
    ),
    message(
        "error: target not found: frob-libs\n==> ERROR: 'pacman' failed to install missing dependencies.",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-libs",
    ),
    message(
        'emerge: there are no ebuilds to satisfy "dev-libs/frob".',
        "dependency-resolution",
        "missing_build_dependency",
        "dev-libs/frob",
    ),
    message(
        "PackagesNotFoundError: The following packages are not available from current channels:\n\n  - frobpy=2.1\n",
        "dependency-resolution",
        "missing_build_dependency",
        "frobpy",
    ),
    message(
        "error: undefined variable 'frobLib'\n at /nix/x.nix:3",
        "dependency-resolution",
        "missing_build_dependency",
        "frobLib",
    ),
    message(
        "ERROR: Nothing PROVIDES 'frob-native' (but /layers/bar.bb DEPENDS on or otherwise requires it)",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-native",
    ),
    message(
        "Error: Failed to download metadata for repo 'openEuler-everything': Cannot download repomd.xml: All mirrors were tried",
        "infrastructure",
        "source_or_repo_unavailable",
        "openEuler-everything",
    ),
    message(
        "错误：为仓库 'OS' 下载元数据失败 : Cannot download repomd.xml: Cannot download repodata/repomd.xml: All mirrors were tried",
        "infrastructure",
        "source_or_repo_unavailable",
        "OS",
    ),
    message(
        "[MIRROR] frob-1.rpm: Status code: 404 for https://repo.example.org/x/frob-1.rpm (IP: 1.2.3.4)\n"
        "[FAILED] frob-1.rpm: No more mirrors to try - All mirrors were already tried without success",
        "infrastructure",
        "source_or_repo_unavailable",
        "frob-1.rpm",
    ),
    message(
        "E: Failed to fetch http://deb.example.org/pool/f/frob_1.deb  404  Not Found [IP: 1.2.3.4 80]",
        "infrastructure",
        "source_or_repo_unavailable",
        "frob_1.deb",
    ),
    message(
        "Error: creating build container: initializing source docker://registry.example.org/base/frob:1.2: reading manifest 1.2 in registry.example.org/base/frob: manifest unknown",
        "infrastructure",
        "source_or_repo_unavailable",
        "frob",
    ),
    message(
        "curl: (22) The requested URL returned error: 404\n"
        "error: Couldn't download https://example.org/frob-1.0.tar.gz",
        "prep",
        "source_or_repo_unavailable",
        "frob-1.0.tar.gz",
    ),
    message(
        "curl: (6) Could not resolve host: files.frob.org\nmake: *** [Makefile:3: data] Error 6",
        "compile",
        "network_in_build",
        "files.frob.org",
    ),
    message(
        'go: github.com/frob/x@v1.2.3: Get "https://proxy.golang.org/github.com/frob/x/@v/v1.2.3.mod": dial tcp: lookup proxy.golang.org on [::1]:53: read udp: connection refused',
        "configure",
        "network_in_build",
        "github.com/frob/x",
    ),
    message(
        "npm ERR! code EAI_AGAIN\n"
        "npm ERR! syscall getaddrinfo\n"
        "npm ERR! errno EAI_AGAIN\n"
        "npm ERR! request to https://registry.npmjs.org/frob failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org",
        "dependency-resolution",
        "network_in_build",
        "registry.npmjs.org",
    ),
    message(
        "WARNING: Retrying (Retry(total=4, connect=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/setuptools/\n"
        "ERROR: Could not find a version that satisfies the requirement setuptools>=40.8.0 (from versions: none)\n"
        "ERROR: No matching distribution found for setuptools>=40.8.0",
        "dependency-resolution",
        "missing_build_dependency|network_in_build",
        "setuptools",
    ),
    message(
        "[ERROR] Failed to execute goal on project bar: Could not resolve dependencies for project org.x:bar:jar:1.0: Cannot access central (https://repo.maven.apache.org/maven2) in offline mode and the artifact org.frob:frob-core:jar:2.1 has not been downloaded from it before. -> [Help 1]",
        "dependency-resolution",
        "missing_build_dependency",
        "frob-core",
    ),
    message(
        "[ERROR] Plugin org.apache.maven.plugins:maven-frob-plugin:3.1 or one of its dependencies could not be resolved: Cannot access central",
        "dependency-resolution",
        "missing_build_dependency",
        "maven-frob-plugin",
    ),
    message(
        "[ERROR] COMPILATION ERROR : \n"
        "[ERROR] /b/src/Main.java:[12,8] cannot find symbol\n"
        "  symbol:   class FrobWidget\n"
        "  location: class Main\n"
        "[ERROR] BUILD FAILURE",
        "compile",
        "source_code_error|dependency_api_change",
        "FrobWidget",
    ),
    message(
        "[ERROR] Source option 6 is no longer supported. Use 7 or later.\n[INFO] BUILD FAILURE",
        "compile",
        "toolchain_version",
        "6",
    ),
    message(
        "[ERROR] Tests run: 12, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.2 s <<< FAILURE! -- in org.x.FrobTest\n"
        "[ERROR] org.x.FrobTest.testMerge -- Time elapsed: 0.1 s <<< FAILURE!\n"
        "[ERROR] There are test failures.",
        "check",
        "test_failure",
        "testMerge",
    ),
    message(
        "FAILURE: Build failed with an exception.\n"
        "* What went wrong:\n"
        "Could not resolve all files for configuration ':compileClasspath'.\n"
        "> Could not resolve org.frob:frob:1.2.\n"
        "  Required by:\n"
        "      project :\n"
        "   > No cached version of org.frob:frob:1.2 available for offline mode.",
        "dependency-resolution",
        "missing_build_dependency",
        "org.frob:frob:1.2",
    ),
    message(
        "com.x.FrobTest > testMerge FAILED\n"
        "    org.junit.ComparisonFailure at FrobTest.java:22\n"
        "FAILURE: Build failed with an exception.\n"
        "> There were failing tests. See the report",
        "check",
        "test_failure",
        "testMerge",
    ),
    message(
        "BUILD FAILED\n"
        "/b/build.xml:22: Compile failed; see the compiler error output for details.\n"
        "    [javac] /b/src/A.java:3: error: package org.frob does not exist",
        "compile",
        "missing_build_dependency",
        "org.frob",
    ),
    message(
        "/usr/bin/ld: /tmp/x.o: in function `main':\n"
        "x.c:(.text+0x5): undefined reference to `frob_init@@FROB_1'\n"
        "collect2: error: ld returned 1 exit status\n"
        "make: *** [Makefile:2: all] Error 1",
        "link",
        "undefined_reference",
        "frob_init",
    ),
    message(
        "ld.lld: error: undefined symbol: frob::Widget::spin(int)\n"
        ">>> referenced by main.cpp:3\n"
        "clang++: error: linker command failed with exit code 1",
        "link",
        "undefined_reference",
        "frob::Widget::spin",
    ),
    message(
        "ld.lld: error: unable to find library -lfrob\n"
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)",
        "link",
        "missing_library",
        "-lfrob",
    ),
    message(
        "mold: fatal: library not found: frob\nclang: error: linker command failed with exit code 1",
        "link",
        "missing_library",
        "frob",
    ),
    message(
        "/usr/bin/ld.gold: error: cannot find -lfrob\ncollect2: error: ld returned 1 exit status",
        "link",
        "missing_library",
        "-lfrob",
    ),
    message(
        "/usr/bin/ld: 找不到 -lfrob: 没有那个文件或目录\ncollect2: 错误：ld 返回 1\nmake: *** [Makefile:4：foo] 错误 1",
        "link",
        "missing_library",
        "-lfrob",
    ),
    message(
        "/usr/bin/ld: main.o: in function `main':\n"
        "main.c:(.text+0xa)：对‘frob_init’未定义的引用\n"
        "collect2: 错误：ld 返回 1\n"
        "make: *** [Makefile:4：foo] 错误 1",
        "link",
        "undefined_reference",
        "frob_init",
    ),
    message(
        "main.c:1:10: 致命错误：frob/x.h：没有那个文件或目录\n"
        "    1 | #include <frob/x.h>\n"
        "编译中断。\n"
        "make: *** [Makefile:2：main.o] 错误 1",
        "compile",
        "missing_header",
        "frob/x.h",
    ),
    message(
        "main.c:4:3: 错误：隐式声明函数‘frob_go’ [-Wimplicit-function-declaration]\n"
        "make: *** [Makefile:2：main.o] 错误 1",
        "compile",
        "implicit_declaration",
        "frob_go",
    ),
    message(
        "main.c:4:3: 错误：‘frob_x’未声明(在此函数内第一次使用)\nmake: *** [main.o] 错误 1",
        "compile",
        "source_code_error",
        "frob_x",
    ),
    message(
        "ld: b.o:(.bss+0x0): multiple definition of `frob_state'; a.o:(.bss+0x0): first defined here\n"
        "collect2: error: ld returned 1 exit status",
        "link",
        "multiple_definition",
        "frob_state",
    ),
    message(
        "/usr/bin/ld: b.o:(.bss+0x0): `frob_state'被多重定义；a.o:(.bss+0x0)：第一次在此定义\n"
        "collect2: 错误：ld 返回 1",
        "link",
        "multiple_definition",
        "frob_state",
    ),
    message(
        "ld.lld: error: duplicate symbol: frob_state\n"
        ">>> defined at a.c:1\n"
        "clang: error: linker command failed with exit code 1",
        "link",
        "multiple_definition",
        "frob_state",
    ),
    message(
        "/usr/bin/ld: x.o: undefined reference to symbol 'frob_go@@FROB_2'\n"
        "/usr/bin/ld: /lib64/libfrob.so.2: error adding symbols: DSO missing from command line\n"
        "collect2: error: ld returned 1 exit status",
        "link",
        "linker_flag",
        "libfrob.so.2",
    ),
    message(
        "ld.lld: error: relocation R_X86_64_32 cannot be used against local symbol; recompile with -fPIC\n"
        ">>> defined in ring.o",
        "link",
        "linker_flag",
        "-fPIC",
    ),
    message(
        "cc1plus: out of memory allocating 65536 bytes after a total of 2000 bytes\nmake: *** [x.o] Error 1",
        "compile",
        "out_of_memory",
        "cc1plus",
    ),
    message(
        "c++: fatal error: Killed signal terminated program cc1plus\n"
        "compilation terminated.\n"
        "ninja: build stopped: subcommand failed.",
        "compile",
        "out_of_memory",
        "cc1plus",
    ),
    message(
        "error: could not compile `frob` (lib)\n"
        "Caused by:\n"
        "  process didn't exit successfully: `rustc --crate-name frob` (signal: 9, SIGKILL: kill)",
        "compile",
        "out_of_memory",
        "frob",
    ),
    message(
        "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
        "compile",
        "out_of_memory",
        "heap out of memory",
    ),
    message(
        "cc1: error: error writing to /tmp/ccX.s: No space left on device\nmake: *** [x.o] Error 1",
        "compile",
        "disk_full",
        "/tmp/ccX.s",
    ),
    message(
        "ar: libx.a: 设备上没有空间\nmake: *** [libx.a] 错误 1",
        "compile",
        "disk_full",
        "libx.a",
    ),
    message(
        "error: unpacking of archive failed on file /usr/lib/x: cpio: write failed - No space left on device",
        "compile",
        "disk_full",
        "",
    ),
    message(
        "At least 300MB more space needed on the / filesystem.\n"
        "Error Summary\n"
        "Disk Requirements:\n"
        "   At least 300MB more space needed on the / filesystem.",
        "compile",
        "disk_full",
        "/",
    ),
)
