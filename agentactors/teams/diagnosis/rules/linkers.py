"""Linkers: GNU ld, gold, lld, mold and the Apple one, plus what the dynamic loader says at run time."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import FAIR, GOOD, STRONG, TRACE, WEAK, Rule, rule

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "ld-dso-missing",
        "dso missing from command line|undefined reference to symbol|symbol(s) not found in dso",
        r"undefined reference to symbol '([^']{1,150})'",
        "linker_flag",
        "link",
        STRONG + 3,
        after=r"([^\s:/]{1,120}): error adding symbols: DSO missing",
        span=3,
    ),
    rule(
        "ld-dso-missing-2",
        "dso missing from command line",
        r"([^\s:/]{1,120}): (?:error adding symbols: )?(DSO missing)",
        "linker_flag",
        "link",
        STRONG + 2,
    ),
    rule(
        "ld-recompile-fpic",
        "recompile with",
        r"(?:([^\s:(/]{1,150}\.(?:o|a|lo)[^\s:]{0,60}): )?.{0,200}?relocation.{0,300}?recompile with '?(-f(?:PI[CE"
        r"]|pi[ce]))",
        "linker_flag",
        "link",
        STRONG + 4,
    ),
    rule(
        "ld-relocation-shared",
        "relocation",
        r"relocation (R_\w+|\d+) .{0,200}?(?:cannot|can not|can't) be used (?:when making a|against|with)",
        "linker_flag",
        "link",
        STRONG,
        culprit="-fPIC",
    ),
    rule(
        "ld-relocation-dynamic",
        "relocation",
        r"relocation (R_\w+) (?:against|cannot).{0,200}",
        "linker_flag",
        "link",
        GOOD,
    ),
    rule(
        "ld-textrel",
        "text relocation|dt_textrel|read-only segment",
        r"(?:error|warning): .{0,60}?(read-only segment has dynamic relocations|DT_TEXTREL[\w ]{0,40}|"
        r"text relocations?)",
        "linker_flag",
        "link",
        GOOD,
    ),
    rule(
        "ld-truncated", "relocation truncated", r"(relocation truncated to fit: \w+)", "linker_flag", "link", GOOD + 4
    ),
    rule(
        "ld-pie",
        "-no-pie|-pie|position-independent|position independent",
        r"(?:error|ld\S*): .{0,120}?((?:-no-pie|-pie|-shared|position[- ]independent)[\w ]{0,60})",
        "linker_flag",
        "link",
        GOOD - 5,
    ),
    rule(
        "ld-lto",
        "lto|plugin needed to handle",
        r"((?:lto1?|lto-wrapper): fatal error: .{3,120}|plugin needed to handle lto object|lto-wrapper failed)",
        "linker_flag",
        "link",
        GOOD - 2,
    ),
    rule(
        "ld-unknown-option",
        "unrecognized option|unknown argument|unknown option",
        r"(?:ld\S*|lld|collect2|mold|gold): (?:error: |fatal: )?(?:unrecognized option|unknown argument|"
        r"unknown option:?|unknown -z value:?|unrecognized -z option:?) ?:?'?([^'\s]{1,120})",
        "linker_flag",
        "link",
        STRONG,
    ),
    rule(
        "ld-emulation",
        "unrecognised emulation|unrecognized emulation|unknown emulation",
        r"(?:unrecogni[sz]ed|unknown) emulation(?: mode)?:? '?([\w-]+)",
        "linker_flag",
        "link",
        GOOD,
    ),
    rule(
        "ld-incompatible-arch",
        "file in wrong format|is incompatible with|skipping incompatible|wrong elf class",
        r"([^\s:]{1,160}): (?:error adding symbols: )?(?:file in wrong format|is incompatible with \S+|"
        r"wrong ELF class)",
        "linker_flag",
        "link",
        GOOD,
    ),
    rule(
        "ld-version-script",
        "version script|symbol not defined|undefined version|version node not found",
        r"error: (?:version script assignment of '([^']{1,80})' to symbol '([^']{1,100})' failed|"
        r"undefined version:? '?([^'\s]{1,100}))",
        "linker_flag",
        "link",
        STRONG,
    ),
    rule(
        "ld-multiple-definition",
        "multiple definition of|duplicate symbol|multiply defined|多重定义|的多重定义|mehrfachdefinition|"
        "mehrfache definition|définitions multiples|definición múltiple|defined multiple times",
        r"(?:multiple definition of|duplicate symbol:?|[Mm]ehrfache? ?[Dd]efinition(?:en)? von|"
        r"définitions? multiples? de|définition multiple de|definición múltiple de) ?'?\"?([^'\"\s(]{1,150})|"
        r"'([^']{1,150})'(?:被|的)?多重定义",
        "multiple_definition",
        "link",
        STRONG + 3,
    ),
    rule(
        "ld-multiple-definition-mangled",
        "duplicate symbol",
        r"duplicate symbols?:? '?_?([\w:~<>,()* &]{1,150})",
        "multiple_definition",
        "link",
        STRONG,
    ),
    rule(
        "ld-first-defined",
        "first defined here|已在此处",
        r"(?:first defined here|第一次在此定义|首次在此处定义)",
        "multiple_definition",
        "link",
        FAIR,
        culprit="multiple definition",
    ),
    rule(
        "ld-undefined",
        "undefined reference to|未定义的引用|未定義的參考|nicht definierter verweis|référence indéfinie|référence à|"
        "referencia a|неопределённая ссылка|riferimento non definito|に対する定義されていない参照|referência não definida",
        r"(?:undefined reference to|nicht definierter Verweis auf|référence indéfinie (?:vers|à)|"
        r"riferimento non definito a|неопределённая ссылка на|referencia a|referência não definida (?:a|"
        r"para)) ?['\"] ?((?:\(anonymous namespace\)::)?[^'\"(]{1,190})|对 ?'([^'(]{1,190})[^']{0,400}' ?未定义的引用|"
        r"'([^']{1,150})' ?(?:未定義的參考|に対する定義されていない参照)",
        "undefined_reference",
        "link",
        STRONG,
    ),
    rule(
        "lld-undefined",
        "undefined symbol|undefined hidden symbol|undefined protected symbol",
        r"error: undefined (?:hidden |protected |internal )?symbol: ([^(]{1,180}?)(?:\(|$| >>>)",
        "undefined_reference",
        "link",
        STRONG,
    ),
    rule(
        "mold-undefined",
        "undefined symbol",
        r"(?:mold|ld\.mold)?: ?(?:error: )?undefined symbol: ([^\s:]{1,180})",
        "undefined_reference",
        "link",
        STRONG - 2,
    ),
    rule(
        "macho-undefined",
        "undefined symbols for architecture",
        r"Undefined symbols for architecture",
        "undefined_reference",
        "link",
        STRONG,
        after=r"\"_?([^\"]{1,180})\", referenced from",
        span=3,
    ),
    rule(
        "modpost-undefined",
        "modpost:",
        r"(?:ERROR|WARNING): modpost: \"?'?([^\"'\s]{1,120})[\"']? \[[^\]]+\] undefined!",
        "dependency_api_change",
        "link",
        STRONG + 3,
        noisy=True,
    ),
    rule(
        "modpost-namespace",
        "modpost:",
        r"(?:ERROR|WARNING): modpost: module (\S+) uses symbol (\S+) from namespace",
        "dependency_api_change",
        "link",
        STRONG + 2,
        noisy=True,
    ),
    rule(
        "modpost-gpl",
        "modpost:",
        r"(?:ERROR|FATAL): modpost: GPL-incompatible module \S+ uses GPL-only symbol '(\S+?)'",
        "dependency_api_change",
        "link",
        STRONG + 2,
    ),
    rule(
        "modpost-old",
        "undefined!",
        r"(?:ERROR|WARNING): \"([^\"]{1,120})\" \[[^\]]+\] undefined!",
        "dependency_api_change",
        "link",
        STRONG + 2,
        noisy=True,
    ),
    rule(
        "ld-cannot-find",
        "cannot find|unable to find library|library not found for|找不到|kann -l|impossible de trouver|"
        "no se puede encontrar|не удаётся найти|library '|не найден",
        r"(?:ld\S*|lld|collect2|mold|gold)\S*: (?:error: |fatal: |错误: )*(?:cannot find|找不到|kann|"
        r"impossible de trouver|no se puede encontrar|unable to find library|library not found for|"
        r"library not found:|не удаётся найти|não foi possível localizar) ?:? ?(-l ?:?[^\s:]{1,120})",
        "missing_library",
        "link",
        STRONG + 2,
    ),
    rule(
        "ld-unable-library",
        "unable to find library|library not found for|library '",
        r"(?:unable to find library|library not found for) (-l\S{1,120})|ld: library '([^']{1,120})' not found",
        "missing_library",
        "link",
        STRONG + 2,
    ),
    rule(
        "dpkg-shlibdeps",
        "dpkg-shlibdeps",
        r"dpkg-shlibdeps: error: (?:(?:cannot|couldn't) find (?:library )?|"
        r"no dependency information found for )(\S{1,120})",
        "missing_library",
        "package",
        STRONG + 3,
    ),
    rule(
        "ld-cannot-find-plain",
        "cannot find -l|cannot find lib|library not found",
        r"(?:cannot find (?:the library '|library )?(-l[^\s:']{1,120}|lib[\w.+-]{1,100}\.(?:so|a|la)\S{0,20})|"
        r"library not found: (\S{1,120}))",
        "missing_library",
        "link",
        STRONG,
    ),
    rule(
        "libtool-missing-la",
        "is not a valid libtool archive|cannot find the library",
        r"libtool:? .{0,60}?(?:cannot find the library|error:)? ?'([^']{1,160}\.l?a)'",
        "missing_library",
        "link",
        STRONG,
    ),
    rule(
        "ld-cannot-find-file",
        "cannot find|cannot open|no such file",
        r"(?:ld\S*|lld|mold|gold)\S*: (?:error: |fatal: )*(?:cannot (?:find|open)) ?:?'?([^\s:']{1,160})(?:': |"
        r": )?(?:No such file)?",
        "missing_library",
        "link",
        GOOD + 6,
    ),
    rule(
        "ld-so-at-runtime",
        "error while loading shared libraries|cannot open shared object file",
        r"(?:error while loading shared libraries: |ImportError: )?([^\s:'\"]{1,120}): cannot open shared object f"
        r"ile",
        "missing_library",
        "",
        GOOD + 6,
    ),
    rule(
        "ld-symbol-lookup",
        "symbol lookup error|undefined symbol",
        r"(?:symbol lookup error: .{0,200}?|ImportError: .{0,200}?|\.so\S*: )undefined symbol: ([\w@.]{1,180})",
        "undefined_reference",
        "",
        STRONG - 3,
    ),
    rule(
        "ld-relocation-error",
        "relocation error",
        r"relocation error: .{0,200}?symbol (\w+)",
        "undefined_reference",
        "",
        GOOD,
    ),
    rule(
        "ld-version-not-found",
        "not found (required by|version '",
        r"version '?([A-Z]+\w*_[\d.]+)'? not found",
        "version_conflict",
        "",
        STRONG - 2,
    ),
    rule(
        "ld-no-input",
        "no input files|no such file",
        r"(?:ld\S*|gcc|g\+\+|clang|cc|c\+\+): (?:error: |fatal error: )?(?:no input files|([^\s:]{1,200}\.(?:o|a|"
        r"lo|so|c|cpp|cc)): No such file)",
        "missing_source_file",
        "compile",
        GOOD - 4,
    ),
    rule(
        "collect2",
        "ld returned|linker command failed|ld terminated|ld 返回",
        r"(?:collect2|clang\S*|.*linker).{0,30}?(?:ld returned \d+|error: linker command failed|"
        r"ld terminated with signal \d+|ld 返回 \d+|error: ld returned)",
        "undefined_reference",
        "link",
        WEAK - 6,
        culprit="ld",
    ),
    rule(
        "rust-linker-failed",
        "linking with",
        r"error: linking with '([^']{1,60})' failed",
        "undefined_reference",
        "link",
        TRACE + 10,
    ),
    rule(
        "rust-linker-missing",
        "linker '",
        r"error: linker '([^']{1,60})' not found",
        "toolchain_missing",
        "link",
        STRONG + 3,
    ),
    rule(
        "go-ld-missing",
        "external linking|requires external|running gcc failed",
        r"(?:loadinternal: cannot find (\S+)|requires external \(cgo\) linking, but (cgo is not enabled)|"
        r"C compiler \"?([\w+-]+)\"? not found)",
        "toolchain_missing",
        "link",
        GOOD,
    ),
)
