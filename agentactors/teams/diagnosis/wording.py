"""How much a line sounds like an error, and what kind of failure its words speak of, whatever the tool."""

from __future__ import annotations

import re
from typing import Final

_READ_CHARACTERS: Final = 600
_LOUD: Final = re.compile(
    r"(?:^|[\s\]:(>*])(?:[Ff]atal(?: [Ee]rror)?|[Ee]rror|ERROR|FATAL|E|PANIC|panic|CRITICAL|SEVERE|FAILED|FAIL|[Ee]xception|错误|致命错误|失败|Fehler|FEHLER|[Ee]rreur|"
    r"ERREUR|[Ee]rrore|[Ee]rro|ошибка|Ошибка|エラー)(?:\[[^\]]{1,20}\])?(?: \d+)?(?:[:!：)]|$| \()|\w(?:Error|Exception|Failure): |\berror: |: error\b|\bE\d{3,4}:|^!|ERR!|^(?:FAILED|FAIL|--- FAIL)\b|^not ok\b|\bFAILED$|\d+/\d+ .{1,80} (?:FAIL|TIMEOUT)\b|^\[(?:ERROR|FATAL)\]"
)
_SAID: Final = re.compile(
    r"\b(?:[Ee]rrors?|ERROR|[Ff]ail(?:ed|ure|ures|s)?|FAIL(?:ED|URE)?|[Aa]bort(?:ed|ing)?|[Cc]rash(?:ed)?|[Pp]anic(?:ked)?|[Kk]illed|[Ss]egmentation|[Cc]ore dumped|[Tt]erminated|"
    r"[Mm]ismatch|[Cc]onflicts?|[Vv]iolation|[Ee]xceeded|[Dd]enied|[Rr]efused|[Tt]imed out|[Uu]nresolvable|[Uu]nsatisfied|[Uu]nrecogni[sz]ed|[Uu]nexpected|[Cc]lash(?:es)?|[Gg]iving up|[Pp]roblems?|[Ww]rong|[Ii]ncorrect|[Rr]ejected|[Cc]orrupt(?:ed)?|[Ii]ncomplete|[Uu]nresolved|[Ss]topping)\b|错误|失败|拒绝"
)
_LACKS: Final = re.compile(
    r"\b(?:[Cc]an(?:not|'t| not)|[Cc]ould(?:n't| not)|[Uu]nable|[Nn]ot found|NOT FOUND|[Nn]o such|[Mm]issing|[Ii]nvalid|[Uu]nknown|[Uu]ndefined|[Uu]nsupported|[Ii]llegal|[Nn]othing provides|[Nn]o match|"
    r"[Mm]ust|[Dd]o(?:es)?(?:n't| not)|[Ii]s(?:n't| not)|[Aa]re(?:n't| not)|[Nn]ot (?:\w+ )?(?:owned|available|installed|allowed|permitted|executable|supported|satisfied)|"
    r"[Nn]o (?:\w+ ){1,3}(?:found|provided|available)|[Rr]equires?d?|[Bb]ad|[Tt]oo (?:old|new|large|small|many|few)|[Ee]xpected|[Dd]isappeared|[Bb]roken|[Dd]uplicate|multiple definition|can not be used|[Nn]o longer|recompile with)\b"
    r"|没有|无法|未找到|不存在|缺少|nicht gefunden|konnte nicht|kann nicht|introuvable|impossible|no se (?:puede|encontr)|не найден"
)
_PLACED: Final = re.compile(
    r"^(?:[\w.+-]{1,40}: )?(?:\S*/)?[\w.+@-]{1,100}\.[A-Za-z]\w{0,9}[:(]\[?\d+|\bline \d+|^\s*File \""
)
_TEST_NAMED: Final = re.compile(
    r"^(?:FAILED|FAIL|--- FAIL|not ok \d|rspec )|::\S+ FAILED|^\S+\.t\b.*[Ff]ailed|<<< (?:FAIL|ERR)"
)
_DETAIL: Final = re.compile(r"^E  |^[>#|] |AssertionError\b|^Result: ")
_DEVELOPMENT: Final = re.compile(r"\b(?:library|libraries|devel|dev|headers?|lib\w{2,})\b")
_REMARK: Final = re.compile(r"^(?:[\w.+-]{1,40}: )?(?:\S*/)?[\w.+@-]{1,100}\.[A-Za-z]\w{0,9}:\d+(?::\d+)?:? \S+ \S")
_SUMMARY: Final = re.compile(
    r"^g?make(?:\[\d+\])?: |^ninja: |^collect2: error|^\S*clang\S*: error: linker command|^FAILED: |^(?:error|ERROR|Error): ?(?:could not compile|Failed building|Failed to build|subprocess|building at STEP|"
    r"process |command |Task |Command )|^\[ERROR\] (?:Failed to execute goal|->|For more|Re-run|To see)|^BUILD FAIL|^FAILURE: |^\d+ errors?(?: generated)?\.?$|^npm (?:ERR!|error) (?:code|errno|command|path)|"
    r"^error: (?:test failed|aborting due)|^> Task .* FAILED|^dh_\w+: error|^make_\w+ failed|^Status: |^\S+\.\w{1,3}: .{0,20}exit (?:status|code)|^-- Configuring incomplete|^scons: |^emake failed|^\* ERROR: \S+ failed|"
    r"^E: Build|^died|^Error! Bad return status|^failed to set dynamic section|ld: failed to set|^Test Suites|^(?:CMake|Meson) .{0,20}step failed|^ERROR: (?:Function failed|Execution of)|^Please |^For more|^See |^Run with|^note: |^Error: Process completed|^Error 1$|^cc1(?:plus)?: (?:all|some|所有)|warnings being treated as errors|^\d+ (?:errors?|warnings?)\b"
)
_FLAG: Final = re.compile(
    r"\[?-W[\w=-]{0,40}error[\w=+-]{0,60}(?:, ?-W[\w=+-]{1,60})?\]?|--[\w-]{0,40}error[\w=-]{0,60}|-f[\w-]{0,40}error[\w-]{0,40}"
)
_HARMLESS: Final = re.compile(
    r"^(?:\[\d+/\d+\] )?(?:\S*/)?(?:g\+\+|gcc|cc|c\+\+|clang|clang\+\+|ld|ar|rustc|cmake)(?:-[\d.]+)? +-|\b0 (?:errors?|failed|failures)|\bno errors?\b|errors?: 0\b|[Ff]ail(?:ed|ures?): +0\b|\berror(?:_|\.[cho]\b)|without error|# (?:FAIL|ERROR): +0|\bif .{0,80}fail|failed.{0,20}\(ignored\)"
)

_STAGE: Final = (
    (
        "prep",
        re.compile(
            r"\.spec\b|^error: line \d+: |[Uu]nknown tag|^error: (?:Architecture|Bad (?:file|source)|No (?:patch|source))|[Uu]nclosed %|in macro|SOURCES/|dpkg-source|\b[Hh]unk\b|^patching |^patch(?:ing)?: |%(?:if|else|prep|setup)\b"
        ),
    ),
    (
        "dependency-resolution",
        re.compile(
            r"^Problem(?: \d+)?: |best candidate|none of the providers|[Ff]ailed to resolve the transaction|[Bb]uild[- ][Dd]epend|checkbuilddeps|satisfydepends|[Dd]ependency (?:not satisfied|resolution)|[Uu]nmet dependencies|could not be resolved|requires a different Python|artifact \S+:\S+:|^npm (?:ERR!|error) (?:network|notsup|engine|code E(?:NOT|BAD|RES|404|TARGET))|Retrying \(Retry\(|nothing provides|[Nn]o matching (?:package|distribution)|[Uu]nresolvable|requires? .{1,80}but none|[Nn]o match for|unmet dependenc|is needed by|not installable|Unable to locate package|"
            r"没有东西可提供|could not resolve dependenc|Could not (?:find|resolve) (?:artifact )?[\w.-]+:[\w.-]+:|[Nn]o (?:matching )?package (?:named|')|[Uu]nable to (?:find|select) (?:a match|packages)|target not found|ebuilds to satisfy|"
            r"dependenc(?:y|ies) .{0,60}(?:not available|missing|unavailable|failed)|[Ll]ock ?file|failed to select a version|(?:[Pp]ackage|module) \S+ not found|[Cc]ould not (?:find|satisfy) .{0,30}(?:version|requirement)|conflicting (?:requests|dependencies)"
        ),
    ),
    (
        "link",
        re.compile(
            r"undefined (?:reference|symbol)|multiple definition|first defined here|/ld(?:\.\w+)?: |^ld(?:\.\w+)?: |cannot find -l|\brelocation R_|recompile with -f|[Ll]inker|collect2|modpost: |对.{1,100}未定义的引用|DSO missing"
        ),
    ),
    (
        "configure",
        re.compile(
            r"^configure|^CMake Error|^meson\.build:|meson\.build:\d+|CMakeLists\.txt|^checking |pkg-config|pkgconfig|^autoreconf|^aclocal|^automake|configure\.ac|[Cc]onfiguration (?:failed|error)|Project ERROR"
        ),
    ),
    (
        "check",
        re.compile(
            r"\b[Tt]ests? (?:\S+ )?(?:failed|FAILED)|\bFAIL(?:ED)?\b:?.{0,60}[Tt]est|^not ok|[Aa]ssert(?:ion)?|[Tt]est (?:suite|case|failure)|\btests?/|_test\b|\btest_\w|\d+ failed|^\d+/\d+ .{1,80}(?:FAIL|TIMEOUT)|test timed out"
        ),
    ),
    (
        "install",
        re.compile(
            r"cannot install|file INSTALL|^(?:install|cp|ln|mkdir|strip): |brp-|link target|BUILDROOT|install_\w+|make install"
        ),
    ),
)
_KIND: Final = (
    ("build_system_error", re.compile(r"[Nn]o (?:known )?rule to make|没有规则|regla para construir|Keine Regel")),
    ("disk_full", re.compile(r"[Nn]o space left|[Dd]isk (?:is )?full|quota exceeded|设备上没有空间")),
    (
        "out_of_memory",
        re.compile(
            r"out of memory|[Oo]ut ?[Oo]f ?[Mm]emory|insufficient memory|[Cc]annot allocate|bad_alloc|more memory than available|[Mm]emory (?:exhausted|allocation)|heap (?:space|exhausted)|OOM"
        ),
    ),
    ("timeout", re.compile(r"[Tt]imed? ?out|TIMEOUT|time limit|stuck|no output for|deadline")),
    (
        "network_in_build",
        re.compile(
            r"[Rr]esolve host|[Nn]ame or service|getaddrinfo|[Nn]etwork is unreachable|[Cc]onnection (?:refused|reset|timed)|dial tcp|ENOTFOUND|ECONN|[Tt]emporary failure in name|no such host|[Dd]ownload(?:ing)? .{0,60}fail"
        ),
    ),
    (
        "source_or_repo_unavailable",
        re.compile(
            r"\b(?:404|403|410|50[0234])\b.{0,30}(?:[Nn]ot [Ff]ound|[Ff]orbidden|http)|[Ff]ailed to (?:download|fetch)|[Cc]hecksum|hash mismatch|[Rr]epository .{0,80}not|repomd"
        ),
    ),
    (
        "permission",
        re.compile(
            r"[Pp]ermission denied|[Oo]peration not permitted|EACCES|EPERM|[Rr]ead-only file system|not permitted|ownership|权限不够|不允许"
        ),
    ),
    (
        "patch_does_not_apply",
        re.compile(
            r"malformed patch|garbage was found|^error: patch failed|dpkg-source: .{0,60}patch|\b[Hh]unk|[Pp]atch (?:failed|does not apply)|reject(?:s|ed) |can't find file to patch|Reversed"
        ),
    ),
    (
        "architecture_unsupported",
        re.compile(
            r"[Aa]rchitecture is (?:excluded|not included)|build constraints exclude|[Aa]rch dependent binaries|(?:[Uu]nsupported|not supported|[Uu]nknown|unrecognized).{0,40}(?:arch|cpu|CPU|machine|platform|target|instruction)|(?:arch\w*|platform|CPU) .{0,40}(?:not supported|unsupported)"
        ),
    ),
    ("multiple_definition", re.compile(r"multiple definition|first defined here|duplicate symbol|多重定义")),
    ("linker_flag", re.compile(r"relocation R_|recompile with -f|DSO missing|hidden symbol")),
    (
        "missing_library",
        re.compile(
            r"cannot find -l|library -l|找不到 ?-l|library .{0,40}not found|No package '|[Cc]ould ?(?:not|n't|NOT) find (?!an? version)\w+|[Ll]ibrary .{0,60}(?:missing|required|needed)|Dependency \"|cannot open shared object|development (?:files|package|headers)|was not found in the pkg-config"
        ),
    ),
    (
        "undefined_reference",
        re.compile(r"undefined (?:reference|symbol)|undefined!|modpost: |未定义的引用|unresolved (?:external|symbol)"),
    ),
    (
        "missing_header",
        re.compile(
            r"\.h(?:pp|h|xx)?['\"]?(?: file)?: ?(?:No such|.{0,10}not found)|'[\w./+-]+\.h(?:pp|xx)?' file not found|没有那个文件或目录.{0,10}$|header .{0,40}(?:missing|not found)"
        ),
    ),
    ("python_import", re.compile(r"No module named|cannot import name|ImportError|ModuleNotFound")),
    (
        "vendor_lock_mismatch",
        re.compile(
            r"[Ll]ock ?file|go\.(?:sum|mod)|inconsistent vendoring|Cargo\.lock|package-lock|frozen-lockfile|re-vendor"
        ),
    ),
    ("implicit_declaration", re.compile(r"implicit(?:ly)? declar|undeclared function|隐式声明")),
    (
        "compiler_error_language_change",
        re.compile(
            r"-W(?:error|errors)|ISO C|C\+\+\d\d|deprecated|in C\d\d|incompatible (?:pointer|integer)|int-conversion|treated as errors|non-constant|-std="
        ),
    ),
    (
        "dependency_api_change",
        re.compile(
            r"no member named|is not a member|no matching (?:function|member)|has no (?:member|attribute|method|field)|too (?:few|many) arguments|cannot find (?:symbol|function|method)|incomplete type|does not name a type|symbols? .{0,40}disappeared|unknown type name|ambiguous|no (?:method|function|field) named|undefined method|cannot convert"
        ),
    ),
    (
        "toolchain_version",
        re.compile(
            r"(?:[Ss]ource|[Tt]arget) (?:option|release) \S+|wrong version|class file version|release channel|requires a different Python|unstable|nightly|(?:[Cc][Mm]ake|[Mm]eson|[Pp]ython|rustc|[Cc]argo|[Gg]o|GCC|gcc|clang|LLVM|[Jj]ava|JDK|[Nn]ode(?:\.js)?|Ruby|ruby|PHP|Perl|perl|GHC|ghc|compiler|toolchain|Autoconf|autoconf|bison|engine) ?(?:version )?(?:[<>=v(]* ?\d[\w.+)-]*)?.{0,60}(?:too old|too new|or (?:higher|newer|later)|is required|required|older|newer|not supported|[Uu]nsupported|but)|release version \d+"
        ),
    ),
    (
        "version_conflict",
        re.compile(
            r"[Vv]ersion .{0,60}(?:conflict|too old|mismatch|required|incompatible|not satisf)|[<>]=? ?\d[\w.]*.{0,60}(?:required|needed|but|found|not (?:met|satisf))|conflicts? with|[Ii]ncompatible|(?:found|have|got) .{0,30}\d.{0,60}(?:need|require|want)|too old|conflicting|but (?:version of|none of)"
        ),
    ),
    (
        "toolchain_missing",
        re.compile(
            r"command not found|[Cc]ommand .{0,60}not found|未找到命令|executable file not found|not (?:found )?in (?:your )?\$?PATH|[Pp]rogram .{0,60}not found|[Cc]ompiler .{0,40}(?:not found|cannot|missing)|No CMAKE_\w+_COMPILER|exec(?:vp|ve)?: |(?:line \d+|sh|bash): \S+: not found|make: \S+: No such file"
        ),
    ),
    (
        "missing_build_dependency",
        re.compile(
            r"nothing provides|[Uu]nresolvable|[Dd]ependenc(?:y|ies)|[Nn]o (?:matching )?(?:package|distribution)|[Pp]ackage .{0,60}(?:not found|missing|unavailable|not available|not installed)|[Rr]equire(?:s|d|ment).{0,80}(?:not|missing|fail)|"
            r"not available for|Can't locate \S+\.pm|[Mm]odule .{0,60}not found|cannot load such file|[Cc]ould not (?:find|resolve) [\w.-]+:|[Cc]annot find (?:package|module)|[Ee]xtern(?:al)? crate|ERROR: Missing|is needed by|not going to be installed|no required module|[Uu]nknown package|[Nn]o match for"
        ),
    ),
    ("unpackaged_files", re.compile(r"dh_missing|未打包|(?:not|NOT) packaged|[Uu]npackaged|not owned by|not listed")),
    ("debuginfo_error", re.compile(r"[Nn]o build ID|debuginfo|debugsource|build-?id|eu-strip|DWARF|\bdwz\b")),
    (
        "spec_macro_error",
        re.compile(
            r"^error: line \d+|[Uu]nclosed %|second %|in macro|\.spec\b|[Mm]acro|%\w+ .{0,60}(?:unknown|undefined|invalid)|[Uu]nknown tag|no job control|debian/(?:changelog|control|rules)|[Cc]hangelog"
        ),
    ),
    (
        "missing_source_file",
        re.compile(
            r"[Nn]o such file|not found in (?:the )?source|does not exist|no rule to make target|file not found|文件未找到|没有那个文件|文件不存在|are not files|cannot (?:stat|open)|can't (?:open|read)|Datei oder Verzeichnis nicht gefunden|fichier ou dossier|no existe el fichero",
            re.IGNORECASE,
        ),
    ),
)
_BY_STAGE: Final = {
    "check": "test_failure",
    "dependency-resolution": "missing_build_dependency",
    "link": "undefined_reference",
    "infrastructure": "source_or_repo_unavailable",
    "compile": "source_code_error",
    "prep": "build_system_error",
    "configure": "build_system_error",
    "install": "build_system_error",
    "package": "build_system_error",
}
_INSTALLING: Final = frozenset({"install", "package"})
_TESTED: Final = frozenset(
    {
        "source_code_error",
        "missing_source_file",
        "dependency_api_change",
        "version_conflict",
        "undefined_reference",
        "missing_header",
        "spec_macro_error",
        "compiler_error_language_change",
        "architecture_unsupported",
        "debuginfo_error",
        "unpackaged_files",
        "permission",
        "toolchain_version",
        "vendor_lock_mismatch",
    }
)
_ENDINGS: Final = frozenset({"network_in_build", "source_or_repo_unavailable"})


def error_rating(text: str) -> float:
    """Return how much a plain line sounds like an error: 0 for not at all, 2.5 and more for clearly."""
    if len(text) > _READ_CHARACTERS:
        text = f"{text[: _READ_CHARACTERS // 2]} {text[-_READ_CHARACTERS // 2 :]}"
    text = _FLAG.sub("", text)
    if not text or _HARMLESS.search(text):
        return 0.0
    loud, said, lacks = _LOUD.search(text) is not None, _SAID.search(text) is not None, _LACKS.search(text) is not None
    rating = 2.4 * loud + 1.2 * said * (not loud) + 1.3 * lacks
    if _TEST_NAMED.search(text):
        rating += 0.6
    elif _DETAIL.search(text):
        rating -= 0.8
    if _PLACED.search(text):
        rating += 0.8 if rating else 1.1 * (_REMARK.search(text) is not None)
    return rating


def is_stop(text: str) -> bool:
    """Tell whether a line only sums up that something failed."""
    return _SUMMARY.search(text) is not None


def meaning_of(best: str, near: list[str], *, where: str, definite: bool, hint: str) -> tuple[str, str]:
    """Guess stage and category from the words of a line.

    Args:
        best: The deciding line.
        near: Further lines of the same failure.
        where: Stage of the section, or empty.
        definite: Whether the build tool itself announced that section.
        hint: Stage that the stop names, or empty.

    Returns:
        Stage and category.
    """
    worded = next((stage for stage, pattern in _STAGE if pattern.search(best)), "")
    stage = where if definite and where not in {"", "compile"} else hint or worded or where or "compile"
    if not definite and not hint and not worded:
        stage = next((s for s, pattern in _STAGE if any(pattern.search(line) for line in near[:4])), stage)
    category = next((kind for kind, pattern in _KIND if pattern.search(best)), "")
    if not category:
        category = next((kind for kind, pattern in _KIND[:7] if any(pattern.search(line) for line in near)), "")
    if stage == "configure" and not category and _LACKS.search(best) and _DEVELOPMENT.search(best):
        category = "missing_library"
    if stage == "check" and (not category or category in _TESTED):
        category = "test_failure"
    if stage in _INSTALLING and category == "missing_source_file":
        category = "packaged_file_missing"
    if category in _ENDINGS and stage == "compile" and not definite:
        stage = "infrastructure"
    return stage, category or _BY_STAGE[stage]
