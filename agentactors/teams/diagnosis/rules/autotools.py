"""Autotools and pkg-config: configure, autoconf, automake, libtool, gettext."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import GOOD, STRONG, Rule, rule

_AUTOTOOLS: Final = (
    rule(
        "ac-compiler-broken",
        "compiler cannot create executables|compiler works|cannot run c compiled|cannot compute suffix",
        r"(?:error|错误): (?:in '.{0,200}':)?.{0,30}?((?:C\+?\+?|Fortran|C) compiler cannot create executables|"
        r"cannot run C compiled programs.{0,20}|cannot compute suffix of \w+ files.{0,40})",
        "toolchain_missing",
        "configure",
        STRONG,
    ),
    rule(
        "ac-no-compiler",
        "no acceptable",
        r"no acceptable (\w[\w+ ]{0,30}?)(?: found| could be found| in \$PATH|$)",
        "toolchain_missing",
        "configure",
        STRONG + 5,
    ),
    rule(
        "ac-tool-required",
        "configure",
        r"^configure(?:\.ac)?(?::\d+)?: error: (?:[Uu]nable to find (?:a |the )?|[Cc]ould not find (?:a |the )?|"
        r"[Cc]annot find (?:a |the )?|[Cc]an't find (?:a |the )?|)'?\b((?:pkg-config|pkgconf|bison|flex|yacc|lex|"
        r"gperf|gettext|msgfmt|xgettext|intltool\w*|itstool|xsltproc|xmllint|python\d?|perl|ruby|gawk|awk|nasm|"
        r"yasm|help2man|makeinfo|texinfo|doxygen|swig|valac|vapigen|glib-genmarshal|glib-compile-resources|"
        r"gtk-doc|gtkdocize|gtkdoc-\w+|moc|qmake\d?|uic|cmake|meson|ninja|asciidoc(?:tor)?|xmlto|docbook2\w+|"
        r"pandoc|sphinx-build|rst2man|protoc(?:-c)?|rpcgen|m4|autoconf|automake|libtool(?:ize)?|git|cargo|rustc|"
        r"go|ocaml\w*|ghc|javac|java|tclsh|groff|bc|ed|unzip|wget|curl|sed|gcc|g\+\+|clang|ar|ranlib|ld|objcopy|"
        r"llvm-config|fig2dev|dot|rsvg-convert|inkscape|convert)\w*)\b'?.{0,80}?(?:not (?:be )?(?:found|installed|"
        r"available)|is (?:required|needed|missing)|not in (?:your )?\$?PATH|required|missing|was not found|$)",
        "toolchain_missing",
        "configure",
        STRONG + 2,
    ),
    rule(
        "ac-tool-required-2",
        "not found|required|missing|needed|need",
        r"^configure: error: (?:.{0,60}?)'?(\b(?:bison|flex|yacc|lex|gperf|pkg-config|pkgconf|nasm|yasm|msgfmt|"
        r"intltool|xsltproc|help2man|makeinfo|doxygen|swig|valac|protoc|perl|python3?|gawk|m4|rpcgen|asciidoc|"
        r"xmlto)\b)",
        "toolchain_missing",
        "configure",
        STRONG,
    ),
    rule(
        "ac-package-requirements-too-old",
        "package requirements",
        r"configure: error: Package requirements \(([^)]{1,180})\) were not met",
        "version_conflict",
        "configure",
        STRONG + 7,
        after=r"(?:Requested|Package dependency requirement) '([^']{1,100})'? (?:but version of|"
        r"could not be satisfied)",
        must=True,
        span=8,
    ),
    rule(
        "ac-package-requirements",
        "package requirements",
        r"configure: error: Package requirements \(([^)]{1,180})\) were not met",
        "missing_library",
        "configure",
        STRONG + 6,
        after=r"(?:No package '([^']{1,120})' found|Package '?([^',\s]{1,120})'?(?:, required by '[^']+',)? (?:was"
        r" )?not found)",
        span=8,
    ),
    rule(
        "pkgconfig-requested-version",
        "requested '|but version of",
        r"(?:Requested|Package dependency requirement) '([^']{1,100})'? (?:but version of|could not be satisfied)",
        "version_conflict",
        "configure",
        STRONG + 8,
        after=r"Package '([^']{1,100})' has version",
    ),
    rule(
        "pkgconfig-no-package",
        "no package '",
        r"No package '([^']{1,120})' found",
        "missing_library",
        "configure",
        GOOD + 6,
    ),
    rule(
        "pkgconfig-not-found-path",
        "was not found in the pkg-config search path|not found",
        r"Package '?([^\s',]{1,120})'? was not found in the pkg-config search path",
        "missing_library",
        "configure",
        GOOD + 5,
    ),
    rule(
        "pkgconfig-required-by",
        "required by",
        r"Package '([^']{1,120})', required by '[^']{1,120}', not found",
        "missing_library",
        "configure",
        GOOD + 10,
    ),
    rule(
        "pc-script-absent",
        "pkg-config",
        r"(?:[Tt]he )?(pkg-config|pkgconf) (?:script|command|binary)?.{0,30}?(?:could not be found|not found|"
        r"is required|was not found|missing)",
        "toolchain_missing",
        "configure",
        STRONG - 1,
    ),
    rule(
        "ac-unknown-host",
        "cannot guess build type|unable to guess system type|machine '",
        r"(?:unable to guess system type|cannot guess build type|machine '([^']{1,80})' not recognized|"
        r"[Ii]nvalid configuration '([^']{1,100})': machine)",
        "architecture_unsupported",
        "configure",
        STRONG + 6,
        after=r"(?:uname -m|UNAME_MACHINE) *= ?'?(\S{2,40})|^configure: error: cannot guess build type",
        span=30,
        culprit="unable to guess system type",
    ),
    rule(
        "ac-invalid-configuration",
        "invalid configuration|not recognized|unrecognized machine|config.sub",
        r"[Ii]nvalid configuration '([^']{1,100})'",
        "architecture_unsupported",
        "configure",
        STRONG + 4,
    ),
    rule(
        "ac-unsupported",
        "unsupported|not supported|unknown",
        r"configure: error: .{0,60}?((?:[Uu]nsupported|[Uu]nknown|[Nn]ot supported).{0,40}?(?:arch\w*|CPU|cpu|"
        r"platform|host|system|target|machine|OS|processor)\b.{0,80})",
        "architecture_unsupported",
        "configure",
        STRONG + 4,
    ),
    rule(
        "ac-arch-generic",
        "configure: error",
        r"configure: error: (.{0,60}?\b(?:host|[Cc]pu|CPU|[Mm]achine|[Aa]rchitecture|[Pp]latform|system type|"
        r"target)\b.{0,60}?(?:not supported|unsupported|not recognized|unknown).{0,40})",
        "architecture_unsupported",
        "configure",
        STRONG + 4,
    ),
    rule(
        "ac-arch-not-supported",
        "not supported|unsupported",
        r"configure: error: (.{0,120}?(?:aarch64|arm\w*|riscv\w*|ppc\w*|powerpc\w*|s390\w*|loongarch\w*|mips\w*|"
        r"i\d86|x86_64|amd64|sparc\w*|[\w-]{0,30}linux[\w-]{0,20}).{0,30}?(?:is )?not supported.{0,60})",
        "architecture_unsupported",
        "configure",
        STRONG + 3,
    ),
    rule(
        "ac-program-missing",
        "configure: error",
        r"configure: error: .{0,80}?(?<![\w-])([\w.+-]{2,60})'? (?:was |is |"
        r"could )?(?:not (?:be )?found )?in (?:your |the )?\$?PATH|configure: error: .{0,60}?(?:program|command|"
        r"executable|utility|tool|compiler) '?([\w.+-]{2,60})'? (?:was |is |could )?(?:not|required|missing)|"
        r"configure: error: .{0,60}?([\w.+-]{2,60}) (?:program|command|executable|utility|tool|compiler) (?:was |"
        r"is |could )?(?:not|required|missing|needed)",
        "toolchain_missing",
        "configure",
        STRONG,
    ),
    rule(
        "ac-header-missing",
        "configure: error",
        r"configure: error: .{0,60}?(?<![\w/])([\w/+.-]{1,80}\.h(?:pp|h)?)\b",
        "missing_header",
        "configure",
        STRONG + 2,
    ),
    rule(
        "ac-python-version",
        "configure: error",
        r"configure: error: .{0,40}?\b([Pp]ython|[Pp]erl|GCC|gcc|[Cc]lang|LLVM|CMake|[Aa]utomake|Rust|rustc|Go|"
        r"[Rr]uby|[Jj]ava|JDK|OCaml|GHC|[Bb]ison|[Ff]lex) ?(?:version )?(?:>=|>|\d).{0,60}(?:required|needed|"
        r"found)",
        "toolchain_version",
        "configure",
        STRONG + 1,
    ),
    rule(
        "ac-library-version-absent",
        "not found|not installed|missing",
        r"configure: error: (?:The |the )?([\w.+-]{2,60}) (?:library )?(?:version )?(?:>=|>) ?\d\S{0,30} (?:was |is |could )?(?:not (?:be )?(?:found|installed)|missing)",
        "missing_library",
        "configure",
        STRONG,
    ),
    rule(
        "ac-library-version",
        "configure: error",
        r"configure: error: (?:The |the )?([\w.+-]{2,60}) (?:library )?(?:version )?(?:>=|>) ?\d.{0,40}(?:is |"
        r"are |was )?(?:required|needed)",
        "version_conflict",
        "configure",
        STRONG - 1,
    ),
    rule(
        "ac-version-needed",
        "configure: error",
        r"configure: error: (.{0,100}?(?:version|>=|or (?:newer|later|higher|above)|too old|at least|"
        r"newer than).{0,100})",
        "version_conflict",
        "configure",
        GOOD - 4,
    ),
    rule(
        "ac-library-missing",
        "configure: error",
        r"configure: error: .{0,60}?(?:[Ff]ailed to find|[Cc]ould(?: not|n't) (?:find|link|locate)|[Cc]an(?:not|"
        r"'t) (?:find|link(?: against)?|locate)|[Uu]nable to (?:find|link|locate)|[Mm]issing|requires?|needs?|"
        r"[Nn]o (?:usable |suitable |working )?) ?:?(?:the |a |an |required |support for |usable |working |"
        r"suitable )*['\"]?([\w.+/:-]{2,80})",
        "missing_library",
        "configure",
        STRONG - 2,
    ),
    rule(
        "ac-library-not-found",
        "configure: error",
        r"configure: error: [*\s]*(?:The |the )?['\"]?([\w.+/-]{2,80})['\"]?(?:\s\(?[\w.+>=-]{1,40}\)?){0,5}? ?(?:"
        r"library|libraries|headers?|development|devel|support)?.{0,40}?(?:not (?:be )?(?:found|installed|"
        r"available|usable|present)|(?:is|are) (?:required|needed|missing|not)|was not|were not|required|missing|"
        r"wasn't)",
        "missing_library",
        "configure",
        STRONG - 3,
    ),
    rule(
        "ac-error",
        "configure: error|configure.ac|configure.in",
        r"configure: error: (.{3,180})",
        "missing_library",
        "configure",
        GOOD - 2,
    ),
    rule(
        "ac-error-option",
        "unrecognized option|unrecognized argument|invalid variable name|invalid package name|invalid feature name",
        r"(?:configure: error|error): (?:unrecognized (?:option|argument)s?|invalid (?:variable|package|"
        r"feature) name): ?'?([^'\s]{1,120})",
        "build_system_error",
        "configure",
        STRONG + 4,
    ),
    rule(
        "ac-unknown-option",
        "unknown option",
        r"^(?:configure: )?(?:error: |ERROR: )?[Uu]nknown (?:command[- ]line )?option:? '?\"?(-[^'\"\s]{1,100})",
        "build_system_error",
        "configure",
        GOOD,
    ),
    rule(
        "am-undefined-macro",
        "possibly undefined macro|未定义的宏",
        r"(?:error|错误): possibly undefined macro: (\w+)",
        "build_system_error",
        "configure",
        STRONG + 5,
    ),
    rule(
        "am-macro-not-in-library",
        "not found in library|macro '",
        r"(?:error|warning): macro '?(\w+)'? not found in library",
        "build_system_error",
        "configure",
        STRONG,
        noisy=True,
    ),
    rule(
        "am-does-not-appear",
        "does not appear in am_conditional|required file|does not contain|not found in",
        r"error: (?:(\w+) does not appear in AM_CONDITIONAL|required file '([^']{1,150})' not found|"
        r".{0,80}?does not contain.{0,60}|'(\w+)' is used but '(\w+)' is undefined)",
        "build_system_error",
        "configure",
        STRONG,
    ),
    rule(
        "am-libtool-undefined",
        "libtool library used but",
        r"error: Libtool library used but '(LIBTOOL)' is undefined",
        "build_system_error",
        "configure",
        STRONG + 3,
    ),
    rule(
        "ac-version-required",
        "autoconf version|require automake|autoconf",
        r"(?:error: )?(?:(Autoconf) version (\S+) or higher is required|require Automake (\S+), but have \S+|"
        r"version mismatch\.  This is Automake \S+)",
        "toolchain_version",
        "configure",
        STRONG + 4,
    ),
    rule(
        "option-not-recognised",
        "not recognized|no such option|unrecognized option|unknown option|unrecognized arguments",
        r"(?:error: option (-\S+) not recognized|(?:error|Error): (?:[Nn]o such option:?|unrecognized (?:option|"
        r"arguments?):?|[Uu]nknown option:?) '?(-[\w=.-]{1,80}))",
        "build_system_error",
        "",
        GOOD,
    ),
    rule(
        "gettext-version",
        "gettext macro version|autopoint",
        r"(?:error: |\*\*\* )(?:gettext infrastructure mismatch|gettext macro version mismatch|"
        r".{0,60}?AM_GNU_GETTEXT.{0,60})",
        "build_system_error",
        "configure",
        GOOD,
    ),
    rule(
        "libtool-version-mismatch",
        "version mismatch",
        r"libtool: Version mismatch error",
        "toolchain_version",
        "compile",
        STRONG,
        culprit="libtool",
    ),
    rule(
        "autoreconf-failed",
        "autoreconf: |aclocal: |autoheader|automake: |autom4te|autopoint",
        r"(?:autoreconf|aclocal|autoheader|automake|autom4te|autopoint|libtoolize|gtkdocize|"
        r"intltoolize)(?:-[\d.]+)?: (?:error: |fatal: )(.{3,160})",
        "build_system_error",
        "configure",
        GOOD - 10,
    ),
    rule(
        "autoreconf-tool-absent",
        "can't exec",
        r"Can't exec \"([^\"]{1,80})\": No such file",
        "toolchain_missing",
        "configure",
        STRONG,
        noisy=True,
    ),
    rule(
        "configure-ac-error",
        "error: ",
        r"^(?:\S{0,200}/)?(?:configure\.(?:ac|in)|Makefile\.am|aclocal\.m4):\d+: error: (.{3,150})",
        "build_system_error",
        "configure",
        GOOD + 2,
    ),
    rule(
        "m4-failed",
        "m4: |/usr/bin/m4",
        r"^\S*m4: ?.{0,80}?(?:error|cannot open|failed)[: ].{0,100}",
        "build_system_error",
        "configure",
        GOOD - 6,
    ),
    rule(
        "configure-ac-syntax",
        "configure",
        r"^\S*configure: line \d+: syntax error near unexpected token '([^']{1,80})",
        "build_system_error",
        "configure",
        STRONG + 2,
        after=r"'\s*((?:[A-Z]+_)+[A-Z0-9_]+)",
        span=2,
    ),
    rule(
        "configure-not-found",
        "configure",
        r"(?:\./|\S/)?(configure|autogen\.sh|bootstrap(?:\.sh)?): (?:No such file or directory|not found|"
        r"没有那个文件或目录|command not found)",
        "missing_source_file",
        "configure",
        STRONG + 3,
    ),
)

RULES: Final[tuple[Rule, ...]] = _AUTOTOOLS
