"""Build systems: shells and commands, autotools, pkg-config, CMake, Meson, make, ninja, qmake, SCons, Bazel."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from agentactors.teams.diagnosis.rules.row import FAIR, GOOD, STRONG, TRACE, WEAK, Rule, rule

_SHELL: Final = (
    rule("sh-command-not-found",
         "command not found|未找到命令|找不到命令|commande introuvable|kommando nicht gefunden|orden no encontrada|"
         "befehl nicht gefunden",
         r"(?:^|: |\s)([\w./+@-]{1,100}): ?(?:command not found|未找到命令|找不到命令|commande introuvable|(?:Kommando|"
         r"Befehl) nicht gefunden|orden no encontrada)", "toolchain_missing", "", GOOD + 8, soft=True),
    rule("sh-not-found", "not found|未找到",
         r"(?:sh|dash|bash|ksh|ash|line|\d+): (?:line )?(?:\d+: )?(?:exec: )?([\w./+@-]{1,100}): (?:not found|未找到)$",
         "toolchain_missing", "", GOOD + 8, soft=True),
    rule("make-command-missing", "make",
         r"^g?make(?:\[\d+\])?: ([\w./+@-]{1,100}): (?:No such file or directory|Command not found|没有那个文件或目录)",
         "toolchain_missing", "", STRONG),
    rule("exec-not-found", "executable file not found|exec:|command not found",
         r"exec: \"?([\w./+@-]{1,100})\"?: (?:executable file not found|command not found|not found|"
         r"stat .{0,80}no such file)", "toolchain_missing", "", STRONG),
    rule("which-no", "which: no", r"which: no ([\w.+-]{1,60}) in \(", "toolchain_missing", "", WEAK, soft=True),
    rule("missing-script", "is missing on your system|warning: '",
         r"WARNING: '([\w.+-]{1,60})' is (?:missing on your system|needed)", "toolchain_missing", "", STRONG - 2,
         noisy=True),
    rule("ninja-missing", "unable to find a build program|cmake was unable",
         r"CMake was unable to find a build program corresponding to \"([^\"]{1,60})\"", "toolchain_missing",
         "configure", STRONG + 4),
    rule("xargs-missing", "no such file",
         r"^(?:xargs|nohup|timeout|nice|time|sudo|strace|setsid|fakeroot|ccache|distcc|"
         r"libtool)[^:]{0,40}: (?:failed to run command |error: |exec: )?'?([\w./+-]{1,80})'?: (?:No such file|"
         r"command not found|not found)", "toolchain_missing", "", STRONG - 4),
    rule("shell-syntax", "syntax error",
         r"(?:\bline \d+: |^[\w./+-]{1,200}: \d+: )[Ss]yntax error(?: near unexpected token|:)? ?(.{1,120})",
         "build_system_error", "", GOOD, soft=True, after=r"'([A-Z][A-Z0-9]*_[A-Z0-9_]{2,60})", span=2),
    rule("shell-unbound", "unbound variable|bad substitution|parameter not set|未绑定的变量",
         r"(?:line \d+: |\d+: )([\w${}!#%:/-]{1,80}): (?:unbound variable|bad substitution|parameter not set|"
         r"未绑定的变量)", "build_system_error", "", GOOD),
)

_AUTOTOOLS: Final = (
    rule("ac-compiler-broken",
         "compiler cannot create executables|compiler works|cannot run c compiled|cannot compute suffix",
         r"(?:error|错误): (?:in '.{0,200}':)?.{0,30}?((?:C\+?\+?|Fortran|C) compiler cannot create executables|"
         r"cannot run C compiled programs.{0,20}|cannot compute suffix of \w+ files.{0,40})", "toolchain_missing",
         "configure", STRONG),
    rule("ac-no-compiler", "no acceptable", r"no acceptable (\w[\w+ ]{0,30}?)(?: found| could be found| in \$PATH|$)",
         "toolchain_missing", "configure", STRONG + 5),
    rule("ac-tool-required", "configure",
         r"^configure(?:\.ac)?(?::\d+)?: error: (?:[Uu]nable to find (?:a |the )?|[Cc]ould not find (?:a |the )?|"
         r"[Cc]annot find (?:a |the )?|[Cc]an't find (?:a |the )?|)'?\b((?:pkg-config|pkgconf|bison|flex|yacc|lex|"
         r"gperf|gettext|msgfmt|xgettext|intltool\w*|itstool|xsltproc|xmllint|python\d?|perl|ruby|gawk|awk|nasm|"
         r"yasm|help2man|makeinfo|texinfo|doxygen|swig|valac|vapigen|glib-genmarshal|glib-compile-resources|"
         r"gtk-doc|gtkdocize|gtkdoc-\w+|moc|qmake\d?|uic|cmake|meson|ninja|asciidoc(?:tor)?|xmlto|docbook2\w+|"
         r"pandoc|sphinx-build|rst2man|protoc(?:-c)?|rpcgen|m4|autoconf|automake|libtool(?:ize)?|git|cargo|rustc|"
         r"go|ocaml\w*|ghc|javac|java|tclsh|groff|bc|ed|unzip|wget|curl|sed|gcc|g\+\+|clang|ar|ranlib|ld|objcopy|"
         r"llvm-config|fig2dev|dot|rsvg-convert|inkscape|convert)\w*)\b'?.{0,80}?(?:not (?:be )?(?:found|installed|"
         r"available)|is (?:required|needed|missing)|not in (?:your )?\$?PATH|required|missing|was not found|$)",
         "toolchain_missing", "configure", STRONG + 2),
    rule("ac-tool-required-2", "not found|required|missing|needed|need",
         r"^configure: error: (?:.{0,60}?)'?(\b(?:bison|flex|yacc|lex|gperf|pkg-config|pkgconf|nasm|yasm|msgfmt|"
         r"intltool|xsltproc|help2man|makeinfo|doxygen|swig|valac|protoc|perl|python3?|gawk|m4|rpcgen|asciidoc|"
         r"xmlto)\b)", "toolchain_missing", "configure", STRONG),
    rule("ac-package-requirements-too-old", "package requirements",
         r"configure: error: Package requirements \(([^)]{1,180})\) were not met", "version_conflict", "configure",
         STRONG + 7,
         after=r"(?:Requested|Package dependency requirement) '([^']{1,100})'? (?:but version of|"
         r"could not be satisfied)", must=True, span=8),
    rule("ac-package-requirements", "package requirements",
         r"configure: error: Package requirements \(([^)]{1,180})\) were not met", "missing_library", "configure",
         STRONG + 6,
         after=r"(?:No package '([^']{1,120})' found|Package '?([^',\s]{1,120})'?(?:, required by '[^']+',)? (?:was"
         r" )?not found)", span=8),
    rule("pkgconfig-requested-version", "requested '|but version of",
         r"(?:Requested|Package dependency requirement) '([^']{1,100})'? (?:but version of|could not be satisfied)",
         "version_conflict", "configure", STRONG + 8, after=r"Package '([^']{1,100})' has version"),
    rule("pkgconfig-no-package", "no package '", r"No package '([^']{1,120})' found", "missing_library", "configure",
         GOOD + 6),
    rule("pkgconfig-not-found-path", "was not found in the pkg-config search path|not found",
         r"Package '?([^\s',]{1,120})'? was not found in the pkg-config search path", "missing_library", "configure",
         GOOD + 5),
    rule("pkgconfig-required-by", "required by", r"Package '([^']{1,120})', required by '[^']{1,120}', not found",
         "missing_library", "configure", GOOD + 10),
    rule("pc-script-absent", "pkg-config",
         r"(?:[Tt]he )?(pkg-config|pkgconf) (?:script|command|binary)?.{0,30}?(?:could not be found|not found|"
         r"is required|was not found|missing)", "toolchain_missing", "configure", STRONG - 1),
    rule("ac-unknown-host", "cannot guess build type|unable to guess system type|machine '",
         r"(?:unable to guess system type|cannot guess build type|machine '([^']{1,80})' not recognized|"
         r"[Ii]nvalid configuration '([^']{1,100})': machine)", "architecture_unsupported", "configure", STRONG + 6,
         after=r"(?:uname -m|UNAME_MACHINE) *= ?'?(\S{2,40})|^configure: error: cannot guess build type", span=30,
         culprit="unable to guess system type"),
    rule("ac-invalid-configuration", "invalid configuration|not recognized|unrecognized machine|config.sub",
         r"[Ii]nvalid configuration '([^']{1,100})'", "architecture_unsupported", "configure", STRONG + 4),
    rule("ac-unsupported", "unsupported|not supported|unknown",
         r"configure: error: .{0,60}?((?:[Uu]nsupported|[Uu]nknown|[Nn]ot supported).{0,40}?(?:arch\w*|CPU|cpu|"
         r"platform|host|system|target|machine|OS|processor)\b.{0,80})", "architecture_unsupported", "configure",
         STRONG + 4),
    rule("ac-arch-generic", "configure: error",
         r"configure: error: (.{0,60}?\b(?:host|[Cc]pu|CPU|[Mm]achine|[Aa]rchitecture|[Pp]latform|system type|"
         r"target)\b.{0,60}?(?:not supported|unsupported|not recognized|unknown).{0,40})", "architecture_unsupported",
         "configure", STRONG + 4),
    rule("ac-arch-not-supported", "not supported|unsupported",
         r"configure: error: (.{0,120}?(?:aarch64|arm\w*|riscv\w*|ppc\w*|powerpc\w*|s390\w*|loongarch\w*|mips\w*|"
         r"i\d86|x86_64|amd64|sparc\w*|[\w-]{0,30}linux[\w-]{0,20}).{0,30}?(?:is )?not supported.{0,60})",
         "architecture_unsupported", "configure", STRONG + 3),
    rule("ac-program-missing", "configure: error",
         r"configure: error: .{0,80}?(?<![\w-])([\w.+-]{2,60})'? (?:was |is |"
         r"could )?(?:not (?:be )?found )?in (?:your |the )?\$?PATH|configure: error: .{0,60}?(?:program|command|"
         r"executable|utility|tool|compiler) '?([\w.+-]{2,60})'? (?:was |is |could )?(?:not|required|missing)|"
         r"configure: error: .{0,60}?([\w.+-]{2,60}) (?:program|command|executable|utility|tool|compiler) (?:was |"
         r"is |could )?(?:not|required|missing|needed)", "toolchain_missing", "configure", STRONG),
    rule("ac-header-missing", "configure: error",
         r"configure: error: .{0,60}?(?<![\w/])([\w/+.-]{1,80}\.h(?:pp|h)?)\b", "missing_header", "configure",
         STRONG + 2),
    rule("ac-python-version", "configure: error",
         r"configure: error: .{0,40}?\b([Pp]ython|[Pp]erl|GCC|gcc|[Cc]lang|LLVM|CMake|[Aa]utomake|Rust|rustc|Go|"
         r"[Rr]uby|[Jj]ava|JDK|OCaml|GHC|[Bb]ison|[Ff]lex) ?(?:version )?(?:>=|>|\d).{0,60}(?:required|needed|"
         r"found)", "toolchain_version", "configure", STRONG + 1),
    rule("ac-library-version-absent", "not found|not installed|missing",
         r"configure: error: (?:The |the )?([\w.+-]{2,60}) (?:library )?(?:version )?(?:>=|>) ?\d\S{0,30} (?:was |is |could )?(?:not (?:be )?(?:found|installed)|missing)",
         "missing_library", "configure", STRONG),
    rule("ac-library-version", "configure: error",
         r"configure: error: (?:The |the )?([\w.+-]{2,60}) (?:library )?(?:version )?(?:>=|>) ?\d.{0,40}(?:is |"
         r"are |was )?(?:required|needed)", "version_conflict", "configure", STRONG - 1),
    rule("ac-version-needed", "configure: error",
         r"configure: error: (.{0,100}?(?:version|>=|or (?:newer|later|higher|above)|too old|at least|"
         r"newer than).{0,100})", "version_conflict", "configure", GOOD - 4),
    rule("ac-library-missing", "configure: error",
         r"configure: error: .{0,60}?(?:[Ff]ailed to find|[Cc]ould(?: not|n't) (?:find|link|locate)|[Cc]an(?:not|"
         r"'t) (?:find|link(?: against)?|locate)|[Uu]nable to (?:find|link|locate)|[Mm]issing|requires?|needs?|"
         r"[Nn]o (?:usable |suitable |working )?) ?:?(?:the |a |an |required |support for |usable |working |"
         r"suitable )*['\"]?([\w.+/:-]{2,80})", "missing_library", "configure", STRONG - 2),
    rule("ac-library-not-found", "configure: error",
         r"configure: error: [*\s]*(?:The |the )?['\"]?([\w.+/-]{2,80})['\"]?(?:\s\(?[\w.+>=-]{1,40}\)?){0,5}? ?(?:"
         r"library|libraries|headers?|development|devel|support)?.{0,40}?(?:not (?:be )?(?:found|installed|"
         r"available|usable|present)|(?:is|are) (?:required|needed|missing|not)|was not|were not|required|missing|"
         r"wasn't)", "missing_library", "configure", STRONG - 3),
    rule("ac-error", "configure: error|configure.ac|configure.in", r"configure: error: (.{3,180})", "missing_library",
         "configure", GOOD - 2),
    rule("ac-error-option",
         "unrecognized option|unrecognized argument|invalid variable name|invalid package name|invalid feature name",
         r"(?:configure: error|error): (?:unrecognized (?:option|argument)s?|invalid (?:variable|package|"
         r"feature) name): ?'?([^'\s]{1,120})", "build_system_error", "configure", STRONG + 4),
    rule("ac-unknown-option", "unknown option",
         r"^(?:configure: )?(?:error: |ERROR: )?[Uu]nknown (?:command[- ]line )?option:? '?\"?(-[^'\"\s]{1,100})",
         "build_system_error", "configure", GOOD),
    rule("am-undefined-macro", "possibly undefined macro|未定义的宏", r"(?:error|错误): possibly undefined macro: (\w+)",
         "build_system_error", "configure", STRONG + 5),
    rule("am-macro-not-in-library", "not found in library|macro '",
         r"(?:error|warning): macro '?(\w+)'? not found in library", "build_system_error", "configure", STRONG,
         noisy=True),
    rule("am-does-not-appear", "does not appear in am_conditional|required file|does not contain|not found in",
         r"error: (?:(\w+) does not appear in AM_CONDITIONAL|required file '([^']{1,150})' not found|"
         r".{0,80}?does not contain.{0,60}|'(\w+)' is used but '(\w+)' is undefined)", "build_system_error",
         "configure", STRONG),
    rule("am-libtool-undefined", "libtool library used but",
         r"error: Libtool library used but '(LIBTOOL)' is undefined", "build_system_error", "configure", STRONG + 3),
    rule("ac-version-required", "autoconf version|require automake|autoconf",
         r"(?:error: )?(?:(Autoconf) version (\S+) or higher is required|require Automake (\S+), but have \S+|"
         r"version mismatch\.  This is Automake \S+)", "toolchain_version", "configure", STRONG + 4),
    rule("option-not-recognised",
         "not recognized|no such option|unrecognized option|unknown option|unrecognized arguments",
         r"(?:error: option (-\S+) not recognized|(?:error|Error): (?:[Nn]o such option:?|unrecognized (?:option|"
         r"arguments?):?|[Uu]nknown option:?) '?(-[\w=.-]{1,80}))", "build_system_error", "", GOOD),
    rule("gettext-version", "gettext macro version|autopoint",
         r"(?:error: |\*\*\* )(?:gettext infrastructure mismatch|gettext macro version mismatch|"
         r".{0,60}?AM_GNU_GETTEXT.{0,60})", "build_system_error", "configure", GOOD),
    rule("libtool-version-mismatch", "version mismatch", r"libtool: Version mismatch error", "toolchain_version",
         "compile", STRONG, culprit="libtool"),
    rule("autoreconf-failed", "autoreconf: |aclocal: |autoheader|automake: |autom4te|autopoint",
         r"(?:autoreconf|aclocal|autoheader|automake|autom4te|autopoint|libtoolize|gtkdocize|"
         r"intltoolize)(?:-[\d.]+)?: (?:error: |fatal: )(.{3,160})", "build_system_error", "configure", GOOD - 10),
    rule("autoreconf-tool-absent", "can't exec", r"Can't exec \"([^\"]{1,80})\": No such file", "toolchain_missing",
         "configure", STRONG, noisy=True),
    rule("configure-ac-error", "error: ",
         r"^(?:\S{0,200}/)?(?:configure\.(?:ac|in)|Makefile\.am|aclocal\.m4):\d+: error: (.{3,150})",
         "build_system_error", "configure", GOOD + 2),
    rule("m4-failed", "m4: |/usr/bin/m4", r"^\S*m4: ?.{0,80}?(?:error|cannot open|failed)[: ].{0,100}",
         "build_system_error", "configure", GOOD - 6),
    rule("configure-ac-syntax", "configure",
         r"^\S*configure: line \d+: syntax error near unexpected token '([^']{1,80})", "build_system_error",
         "configure", STRONG + 2, after=r"'\s*((?:[A-Z]+_)+[A-Z0-9_]+)", span=2),
    rule("configure-not-found", "configure",
         r"(?:\./|\S/)?(configure|autogen\.sh|bootstrap(?:\.sh)?): (?:No such file or directory|not found|"
         r"没有那个文件或目录|command not found)", "missing_source_file", "configure", STRONG + 3),
)

_CMAKE: Final = (
    rule("cmake-version-required", "or higher is required", r"CMake (\d[\w.]*) or higher is required",
         "toolchain_version", "configure", STRONG + 8),
    rule("cmake-policy-removed", "compatibility with cmake|has been removed from cmake|cmake_minimum_required",
         r"(Compatibility with CMake < ?[\d.]+) has been removed", "toolchain_version", "configure", STRONG + 9,
         culprit="cmake_minimum_required"),
    rule("cmake-policy-old", "policy",
         r"(?:Policy (CMP\d+) (?:may not be set to OLD|is not known)|The OLD behavior for policy (CMP\d+))",
         "toolchain_version", "configure", GOOD),
    rule("cmake-cxx-feature",
         "no known features for|requires the language dialect|is not known to|target_compile_features|cxx_standard|"
         "compile feature",
         r"(?:No known features for|The compiler feature|.{0,60}requires the language dialect \"?(\w+)\"?|"
         r"CMake does not know the compile flags).{0,100}", "toolchain_version", "configure", STRONG - 2),
    rule("cmake-could-not-find-version", "required is|found unsuitable version",
         r"Could NOT find (\w[\w+-]*): Found unsuitable version \"([^\"]*)\".{0,80}", "version_conflict", "configure",
         STRONG + 6),
    rule("cmake-config-version",
         "could not find a configuration file|compatible with requested version|any version of",
         r"(?:Could not find a configuration file for package \"([^\"]{1,80})\" that|"
         r"configuration file for package \"([^\"]{1,80})\")", "version_conflict", "configure", STRONG + 6),
    rule("cmake-could-not-find-tool", "could not find|could not locate",
         r"Could (?:NOT|not) find (PkgConfig|Git|Python(?:3|Interp)?|Perl|Doxygen|BISON|FLEX|SWIG|Java|Protoc|"
         r"Gettext|PythonInterp|Sphinx|LATEX|AsciiDoctor|Go|Cargo|Rust)\b.{0,40}?(?:missing: \(?([\w ]+))?",
         "toolchain_missing", "configure", STRONG + 1),
    rule("cmake-could-not-find", "could not find|could not locate",
         r"(?:Could (?:NOT|not) find|Could not locate) (?!a package|or load|module|a configuration|toolchain|"
         r"any)'?(\w[\w+.-]*)'? ?(?:\(missing|\(Required|\.|:|$| )", "missing_library", "configure", STRONG + 1),
    rule("cmake-config-not-provided", "by not providing", r"By not providing \"(?:Find)?([\w+.-]+?)(?:\.cmake)?\"",
         "missing_library", "configure", STRONG + 4),
    rule("cmake-package-configuration", "could not find a package configuration file",
         r"[Cc]ould not find a package configuration file provided by$|"
         r"[Cc]ould not find a package configuration file provided by \"?([\w+.-]+)", "missing_library", "configure",
         STRONG + 5, after=r"^\"([\w+.-]{1,80})\"", span=2),
    rule("cmake-find-component", "component",
         r"(?:Failed to find (?:required )?(?:\w+ )?(?:component|module)|could not find (?:required )?component|"
         r"required component) \"?([\w:+-]{2,80})", "missing_library", "configure", STRONG),
    rule("cmake-failed-to-find", "failed to find", r"Failed to find (?:required )?\"?([\w:+.-]{2,80})",
         "missing_library", "configure", GOOD + 5),
    rule("cmake-pkgconfig-missing", "a required package was not found|the following required packages were not found",
         r"(?:the following required packages were not found|A required package was not found)", "missing_library",
         "configure", STRONG + 3, after=r"^- ([\w.+-]+(?:[<>=]+\S+)?)",
         before=r"(?:No package '([^']+)' found|Package '?([^',\s]+)'?(?:, required by '[^']+')? ?,? ?(?:was )?not "
         r"found)", span=6),
    rule("cmake-library-notfound", "-notfound|are used in this project, but they are set to notfound",
         r"(?:The following variables are used in this project, but they are set to NOTFOUND)", "missing_library",
         "configure", STRONG + 3, after=r"^(\w+_(?:LIBRARY|LIBRARIES|INCLUDE_DIRS?|LIB|DIR|PATH)\w*)", span=5),
    rule("cmake-target-notfound", "links to|but the target was not found", r"(?<![\w_])links to(?: target)?:(?: \"?([\w:+-]+))?|but the target was not found",
         "missing_library", "configure", STRONG - 4, after=r"^\"?([\w+-]+::[\w+:-]+)", span=3, must=False),
    rule("cmake-imported-target-file", "imported target", r"imported target \"([^\"]{1,120})\" references the file",
         "missing_library", "configure", STRONG, after=r"^\"(/[^\"]{1,160})\"", span=3),
    rule("cmake-no-compiler", "could be found|cmake_c_compiler|cmake_cxx_compiler|is not a full path",
         r"No (CMAKE_\w+_COMPILER) could be found|The (CMAKE_\w+_COMPILER):", "toolchain_missing", "configure",
         STRONG + 3, after=r"^([\w.+/-]{2,80})$", span=3),
    rule("cmake-compiler-broken", "is not able to compile a simple test program",
         r"(?:compiler|The \w+ compiler).{0,200}?is not able to compile a simple test program", "toolchain_missing",
         "configure", GOOD),
    rule("cmake-unknown-command", "unknown cmake command", r"Unknown CMake command \"([^\"]{1,80})\"",
         "build_system_error", "configure", STRONG + 4),
    rule("cmake-include-file", "could not find requested file|include could not find",
         r"include could not find (?:load|requested) file:?", "build_system_error", "configure", STRONG + 2,
         after=r"^([\w./+-]{2,120})$", span=4),
    rule("cmake-include-module", "could not find", r"could not find (?:module |include file:?)(\S{2,120})",
         "missing_library", "configure", GOOD),
    rule("cmake-parse-error", "parse error", r"^Parse error\.? ", "build_system_error", "configure", STRONG + 4,
         before=r"CMake Error at (?:\S*/)?([\w.+-]+\.txt|[\w.+-]+\.cmake)", span=3, culprit="CMakeLists.txt"),
    rule("cmake-source-absent", "cannot find source file", r"Cannot find source file", "missing_source_file",
         "configure", STRONG + 3, after=r"^(\S*\w\.\w{1,5})$", span=3, must=True),
    rule("cmake-source-odd", "cannot find source file", r"Cannot find source file", "build_system_error", "configure",
         STRONG + 2, after=r"^([\w./+-]{2,150})$", before=r"^CMake Error at (\S+?):\d+", span=3),
    rule("cmake-no-sources", "no sources given to target", r"No SOURCES given to target: ?(\S*)",
         "build_system_error", "configure", GOOD, before=r"^CMake Error at (\S+?):\d+", span=3),
    rule("cmake-subdirectory-absent",
         "add_subdirectory|does not appear to contain|does not contain a cmakelists|is not an existing directory|"
         "does not exist",
         r"(?:add_subdirectory given source \"([^\"]{1,150})\" which is not|"
         r"The source directory \"?([^\"\s]{0,150})\"? ?does not (?:appear|exist)|"
         r"does not contain a CMakeLists\.txt file)", "missing_source_file", "configure", STRONG + 3,
         after=r"^(/\S{2,150})$", span=3),
    rule("cmake-compiler-variable", "could not find compiler set in environment",
         r"Could not find compiler set in environment variable (\w+):", "toolchain_missing", "configure", STRONG + 5,
         after=r"^([\w.+/-]{2,80}?)\.?$", span=3),
    rule("cmake-generator", "could not create named generator|does not match the generator",
         r"(?:Could not create named generator|Error: generator :?) ?(.{2,80})", "build_system_error", "configure",
         STRONG),
    rule("cmake-file-installs", "file install cannot find",
         r"file INSTALL cannot find$|file INSTALL cannot find ['\"]?([^'\"\s]{2,180})", "missing_source_file",
         "install", STRONG + 2, after=r"^['\"]?(/[^'\"\s]{2,180})", span=2),
    rule("cmake-file-perm", "cannot copy|cannot create directory|cannot make directory|file failed to open",
         r"file (?:INSTALL )?(?:cannot copy|cannot make directory|cannot create directory|"
         r"failed to open.{0,30})(?: file)?.{0,10}?['\"]?(/[^'\":\s]{2,180})?", "permission", "install", GOOD + 4,
         after=r"^\"?(/[^\"\s:]{2,160})\"?", span=3),
    rule("cmake-arch", "unsupported|not supported|unknown",
         r"(?:Unsupported|Unknown|unsupported|unknown|Unrecognized)(?: \w+){0,2}? (?:architecture|processor|"
         r"platform|CPU|system|target|host)[:\s'\"]{0,4}([\w.+-]{0,60})", "architecture_unsupported", "configure",
         GOOD + 3),
    rule("cmake-message-arch", "cmake error", r"CMake Error(?: in \S+)? at (?:\S+?):\d+ \(message\)",
         "architecture_unsupported", "configure", STRONG,
         after=r"^(?![)(]|Call Stack)(.{0,80}?(?:[Uu]nsupported|[Uu]nknown|not supported|"
         r"[Uu]nrecognized).{0,40}?(?:arch\w*|CPU|platform|processor|target|system)\b.{0,60})", span=4, must=True),
    rule("cmake-message-version", "cmake error", r"CMake Error(?: in \S+)? at (?:\S+?):\d+ \(message\)",
         "version_conflict", "configure", STRONG - 4,
         after=r"^(?![)(]|Call Stack)(.{0,80}?(?:version \S*\d.{0,60}(?:required|needed|found)|or (?:newer|later|"
         r"higher|greater)|too old|>= ?\d|at least \S*\d).{0,80})", span=4, must=True),
    rule("cmake-message-required", "cmake error", r"CMake Error(?: in \S+)? at (?:\S+?):\d+ \(message\)",
         "missing_library", "configure", STRONG - 6,
         after=r"^(?![)(]|Call Stack)(?:.{0,40}?(?:[Cc]ould not find|[Cc]annot find|[Uu]nable to find|"
         r"[Mm]issing) (?:the |required )?'?\"?([\w.+:-]{2,60})|(?:The |"
         r"the )?'?\"?([\w.+:-]{2,60})'?\"?.{0,60}?(?:not found|is required|required|missing|"
         r"not (?:be )?(?:installed|available|found)))", span=4, must=True),
    rule("cmake-error-message", "cmake error",
         r"CMake Error(?: in \S+)? at (\S+?):\d+ \(message\)|CMake Error: (.{3,160})", "build_system_error",
         "configure", FAIR, after=r"^(?![)(]|Call Stack)(.{3,170})", span=3),
    rule("cmake-error", "cmake error", r"CMake Error(?: in \S+| at ((?:\S*/)?[\w.+-]+):\d+)?", "build_system_error",
         "configure", FAIR - 4),
    rule("cmake-build-relative", "no such file|is not a directory", r"Error: (\S{1,160}) is not a directory",
         "missing_source_file", "configure", GOOD),
)

_MESON: Final = (
    rule("meson-version", "meson version is|required is",
         r"(?:ERROR: )?(Meson version) is \S+ but project requires ([^,;]{2,30})", "toolchain_version", "configure",
         STRONG + 8),
    rule("meson-lookup-version", "dependency lookup for",
         r"ERROR: Dependency lookup for ([\w.+-]{1,80}) with method .{0,40}? failed: Invalid version",
         "version_conflict", "configure", STRONG + 6),
    rule("meson-lookup", "dependency lookup for", r"ERROR: Dependency lookup for ([\w.+-]{1,80}) with method",
         "missing_library", "configure", STRONG + 4),
    rule("meson-dependency-version", "found but need|invalid version",
         r"(?:ERROR: )?(?:Dependency|Subproject) ['\"]?([\w.+() -]{1,80}?)['\"]? (?:found but need|not found|"
         r".{0,20}?invalid version).{0,80}?(?:need|required|found)", "version_conflict", "configure", STRONG + 5),
    rule("meson-invalid-version", "invalid version",
         r"[Ii]nvalid version of (?:dependency|program),? ?:?(?:need )?'?([\w.+-]{1,80})", "version_conflict",
         "configure", STRONG + 5),
    rule("meson-found-but-need", "found but need|found: no",
         r"Run-time dependency (\S+) found: NO.{0,20}found \S+ but need", "version_conflict", "configure", GOOD + 2,
         noisy=True),
    rule("meson-dependency", "dependency",
         r"ERROR: (?:[Dd]ependency|Could not (?:find|generate).{0,20}) ['\"]?([\w.+():,-]{1,80})['\"]? (?:is requir"
         r"ed but )?(?:not found|found: NO|lookup)", "missing_library", "configure", STRONG + 4),
    rule("meson-dependency-quoted", "dependency",
         r"ERROR: .{0,40}?[Dd]ependency ['\"]([^'\"]{1,100})['\"].{0,60}?(?:not found|required)", "missing_library",
         "configure", STRONG + 3),
    rule("meson-library", "library",
         r"ERROR: (?:\w+ )?(?:shared or static |static )?[Ll]ibrar(?:y|"
         r"ies)(?: or include)? ['\"]([^'\"]{1,100})['\"] not found", "missing_library", "configure", STRONG + 4),
    rule("meson-header", "header",
         r"ERROR: (?:\w+ )?[Hh]eader ['\"]([^'\"]{1,100})['\"] (?:not found|could not be found)", "missing_header",
         "configure", STRONG + 4),
    rule("meson-program", "program",
         r"ERROR: (?:[Pp]rogram(?:\(s\)|s)?|Command) \[?['\"]([^'\"]{1,100})['\"](?:, ?['\"][^\]]{0,80})?\]? (?:not"
         r" found|found: NO)", "toolchain_missing", "configure", STRONG + 4),
    rule("meson-unknown-compiler", "unknown compiler", r"ERROR: Unknown (?:compiler|linker)\(?s?\)?:? ?(.{0,120})",
         "toolchain_missing", "configure", STRONG + 2),
    rule("meson-pkgconfig", "pkg-config", r"ERROR: (?:Pkg-config|[Pp]kgconfig) .{0,30}?(?:not found|required)",
         "toolchain_missing", "configure", STRONG + 3, culprit="pkg-config"),
    rule("meson-unknown-option", "unknown options|unknown option|unknown variable",
         r"ERROR: Unknown (?:options?|variable):? ?:?['\"]?([\w:,. -]{1,100}?)['\"]?\.?$", "build_system_error",
         "configure", STRONG + 5),
    rule("meson-option-choice", "is not one of the choices|value",
         r"ERROR: (?:Value|Option) .{0,60}?['\"]?([\w.-]{1,60})['\"]? .{0,30}?(?:is not one of the choices|"
         r"not in allowed|is not a boolean|valid)", "build_system_error", "configure", STRONG + 2),
    rule("meson-subproject", "subproject|wrap",
         r"ERROR: (?:Neither a subproject directory nor a ([\w.+-]{2,100}?)(?:\.wrap)? file|"
         r"Subproject '?\"?([\w.+/-]{2,100}).{0,60}|Automatic wrap-based subproject downloading is disabled)",
         "missing_library", "configure", STRONG - 2, before=r"fallback subproject for the dependency (\S+)", span=6),
    rule("meson-file-absent", "does not exist|nonexistent",
         r"ERROR: (?:File|Nonexistent build file|Tried to .{0,20}?nonexistent\w*|Include dir|"
         r"install_dir) ['\"]?([^'\"\s]{1,150})['\"]?(?: does not exist)?", "missing_source_file", "configure",
         STRONG),
    rule("meson-module", "module", r"ERROR: (?:Module|Unknown module) ['\"]?([\w.+-]{1,80})['\"]? .{0,40}",
         "toolchain_version", "configure", GOOD),
    rule("meson-python-module", "python",
         r"ERROR: .{0,120}?(?:is missing modules: |[Pp]ython3? (?:module|dependency) )'?([\w., -]{2,80})'?",
         "python_import", "configure", STRONG),
    rule("meson-feature-unsupported", "not supported|unsupported",
         r"ERROR: Problem encountered: (.{0,60}?(?:[Uu]nsupported|not supported|[Uu]nknown).{0,30}?(?:arch\w*|cpu|"
         r"CPU|platform|host|system|machine)\b.{0,60})", "architecture_unsupported", "configure", STRONG + 2),
    rule("meson-problem-missing", "problem encountered",
         r"ERROR: Problem encountered: (.{0,100}?(?:not found|required|requires|missing|need).{0,80})",
         "missing_library", "configure", GOOD + 6),
    rule("meson-problem", "problem encountered", r"ERROR: Problem encountered: (.{3,170})", "build_system_error",
         "configure", GOOD + 4),
    rule("meson-feature", "feature", r"ERROR: Feature ['\"]?([\w.+-]{1,80})['\"]? cannot be enabled: (.{0,100})",
         "missing_library", "configure", STRONG),
    rule("meson-error", "error: ",
         r"(?:meson\.build|meson_options\.txt|meson\.options)(?::\d+){0,2}:? ERROR: (.{3,170})", "build_system_error",
         "configure", GOOD),
)

_MAKE: Final = (
    rule("make-no-rule",
         "no rule to make target|没有规则可制作目标|没有规则可以创建|keine regel|pas de règle|aucune règle|no hay ninguna regla|"
         "нет правила",
         r"(?:No rule to make target|没有规则可制作目标|没有规则可以创建目标|Keine Regel,? (?:um|vorhanden, um)|"
         r"Pas de règle pour fabriquer la cible|Aucune règle pour fabriquer la cible|"
         r"No hay ninguna regla para construir el objetivo|Нет правила для сборки цели) ?'?\"?([^'\",]{1,180})",
         "build_system_error", "", GOOD + 8),
    rule("make-no-makefile", "no targets specified and no makefile|没有指明目标并且找不到 makefile|no makefile found",
         r"(?:No targets specified and no (makefile) found|没有指明目标并且找不到 (makefile)|没有指定目标并且找不到 (makefile))",
         "missing_source_file", "", STRONG),
    rule("make-dir-absent", "no such file",
         r"^g?make(?:\[\d+\])?: \*\*\* ([^\s:]{1,180}): (?:No such file or directory|没有那个文件或目录)",
         "missing_source_file", "", GOOD + 6),
    rule("make-include-absent", "no such file",
         r"^([\w./-]*[Mm]ake\w*(?:\.\w+)*|\S+\.mk):\d+: ([^\s:]{1,160}): No such file", "missing_source_file", "",
         GOOD),
    rule("make-syntax",
         "missing separator|遗漏分隔符|unterminated|recipe commences before|extraneous|multiple target patterns|"
         "missing 'endif'|mixed implicit|unterminated call", r"^(\S{1,200}):\d+: \*\*\* (.{3,120})",
         "build_system_error", "", STRONG),
    rule("make-error-function", "*** ", r"^(\S{1,160}):\d+: \*\*\* (.{3,160}?)\. +(?:Stop|停止)", "build_system_error",
         "", GOOD),
    rule("kbuild-no-headers",
         "kernel headers|kernel source|kernel-devel|/lib/modules|/build: no such file|autoconf.h",
         r"(?:\*\*\* )?(/lib/modules/\S+/build)(?:/\S*)?:? ?.{0,20}?(?:No such file|没有那个文件)|"
         r"ERROR: (Kernel (?:configuration is invalid|headers? .{0,60}))|"
         r"[Yy]our (kernel headers) for kernel \S+ cannot be found", "missing_build_dependency", "configure",
         STRONG + 2),
    rule("kbuild-modules-api", "conflicting types|redefinition",
         r"error: (?:conflicting types for|redefinition of) '([^']{1,120})'", "dependency_api_change", "compile",
         STRONG, with_file=True, needs="kernel"),
    rule("dkms-unsupported", "error! ", r"Error! (?:Bad return status for module build on kernel: (\S+)|.{3,160})",
         "dependency_api_change", "compile", TRACE),
    rule("ninja-missing-input", "missing and no known rule to make it",
         r"ninja: error: '([^']{1,170})', needed by '[^']{0,170}', missing and no known rule", "build_system_error",
         "compile", STRONG + 5),
    rule("ninja-error", "ninja: error|ninja: fatal", r"ninja: (?:error|fatal): (?!build stopped)(.{3,160})",
         "build_system_error", "compile", GOOD),
    rule("qmake-module", "unknown module(s) in qt", r"Unknown module\(s\) in QT: (.{1,100})", "missing_library",
         "configure", STRONG + 4),
    rule("qmake-project", "project error|project message",
         r"Project ERROR: (?:Unknown module\(s\) in QT: )?(?:(\S+) development package not found|(.{3,160}))",
         "missing_library", "configure", STRONG),
    rule("qt-moc-parse", "parse error at|no relevant classes|undefined interface|class declaration lacks",
         r"^(?:\S*/)?([\w.+-]+\.(?:h|hh|hpp|hxx|cpp|cc)):\d+(?::\d+)?: (?:[Ee]rror|Warning): (?:Parse error at \"([^\"]{1,80})\"|.{3,120})",
         "source_code_error", "compile", GOOD + 12),
    rule("qt-moc", "automoc|autouic|autorcc|moc",
         r"(?:AutoMoc|AutoUic|AutoRcc|AUTOMOC|AUTOUIC)\b.{0,40}?(?:error|Error).{0,120}", "build_system_error",
         "compile", FAIR, after=r"\"([^\"]{3,140})\""),
    rule("scons-error", "scons: ***", r"scons: \*\*\* (.{3,160})", "build_system_error", "", FAIR - 5),
    rule("waf-not-found", "could not find|the configuration failed", r"Could not find the program \[?'?([\w+.-]+)",
         "toolchain_missing", "configure", STRONG),
    rule("waf-checking", "not found",
         r"^Checking for (?:library |header |program )?'?([\w./+ -]{1,80}?)'? +: +not found", "missing_library",
         "configure", FAIR - 10, soft=True),
    rule("bazel-error", "error: /|bazel|no such package|no such target",
         r"no such (?:package|target) '([^']{1,140})'", "build_system_error", "configure", STRONG),
    rule("docs-sphinx", "sphinx|extension error|exception occurred",
         r"(?:Extension error:?|Sphinx error:|Could not import extension ([\w.]+)).{0,120}", "python_import", "",
         GOOD, after=r"Could not import extension ([\w.]+)"),
    rule("docbook-network", "i/o error : attempt to load network entity",
         r"I/O error : (?:Attempt to load network entity|failed to load.{0,20}) ?\"?(\S{1,160})", "network_in_build",
         "", STRONG - 4, noisy=True, soft=True),
    rule("xslt-missing", "i/o warning|cannot parse|failed to load external entity",
         r"(?:I/O warning|warning) : failed to load external entity \"([^\"]{1,170})\"", "network_in_build", "",
         GOOD - 6, noisy=True, soft=True),
    rule("tex-file-missing", "! latex error", r"! LaTeX Error: File '([^']{1,100})' not found",
         "missing_build_dependency", "compile", STRONG),
    rule("msgfmt-fatal", "msgfmt|found 1 fatal error|fatal errors",
         r"(?:msgfmt|xgettext|msgmerge): found \d+ fatal error", "source_code_error", "compile", GOOD,
         before=r"^(\S{1,200}\.po\w?):\d+"),
    rule("gir-scanner", "g-ir-scanner|g-ir-compiler|couldn't find include",
         r"(?:Couldn't find include|[Cc]ould not find GIR file) '([^']{1,100})'", "missing_build_dependency",
         "compile", STRONG),
    rule("vala-package", "not found in specified vala api|package '",
         r"error: Package '([^']{1,100})' not found in specified Vala API", "missing_library", "compile", STRONG + 2),
    rule("vala-generic", "error: ", r"^(?:\S{0,300}/)?([\w.-]{1,100}\.vala):[\d.-]+: error: (.{3,120})",
         "dependency_api_change", "compile", GOOD - 4),
    rule("vala-namespace", "could not be found",
         r"error: The (?:namespace|type|symbol) name '([^']{1,100})' could not be found", "dependency_api_change",
         "compile", STRONG, with_file=True),
    rule("gschema", "gschema|glib-compile",
         r"(?:glib-compile-schemas|glib-compile-resources|(?<!\S)\S{1,200}\.gresource\.xml): (?:error: )?(?:Failed "
         r"to (?:locate|find|open).{0,20}?'([^']{1,120})'|.{0,120}error.{0,60})", "missing_source_file", "compile",
         GOOD),
)

_ERROR_AT: Final = re.compile(r"^CMake Error")

RULES: Final[tuple[Rule, ...]] = (
    _SHELL + _AUTOTOOLS + _MESON + _MAKE
    # The line that says where in the build description it happened is evidence too.
    + tuple(row if row.before else replace(row, before=(_ERROR_AT,)) for row in _CMAKE)
)
