"""C, C++, Objective-C and Fortran compilers: GCC (also in Chinese, German, Spanish, French) and Clang.

How a complaint is attributed: a name that *should* exist by the header it comes from (a member, an overload, a
changed signature) points at a dependency whose interface changed; in an out-of-tree kernel module (trait
``kernel``) so does an undeclared function. What a newer default standard rejects is a language change. What no
compiler ever took is an error of the source.
"""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import GOOD, STRONG, Rule, rule

_NO_SUCH: Final = (
    r"(?:No such file or directory|file not found|没有那个文件或目录|沒有此一檔案或目錄|Datei oder Verzeichnis nicht gefunden"
    r"|No existe el (?:fichero|archivo) o el directorio|Aucun fichier ou dossier de ce (?:type|nom)"
    r"|Нет такого файла или каталога|そのようなファイルやディレクトリはありません|Arquivo ou diretório inexistente"
    r"|File o directory non esistente)"
)

_HEADERS: Final = (
    rule(
        "cc-missing-header",
        "fatal error|致命错误|error: |错误",
        r"(?:fatal error|致命错误|嚴重錯誤|schwerwiegender Fehler|error fatal|erreur fatale|致命的エラー|erro fatal"
        r"|errore irreversibile|фатальная ошибка|error|错误) ?: +'?([^\s:']{1,250})'? ?[:：]? " + _NO_SUCH,
        "missing_header",
        "compile",
        STRONG,
    ),
    rule(
        "cc-missing-header-localised",
        "fatal|致命|fehler",
        r"(?:schwerwiegender Fehler|error fatal|erreur fatale|致命的エラー|致命错误) ?: ([^\s:]{1,250}) ?: " + _NO_SUCH,
        "missing_header",
        "compile",
        STRONG,
    ),
    rule(
        "clang-missing-header",
        "file not found",
        r"error: '([^']{1,250})' file not found",
        "missing_header",
        "compile",
        STRONG,
    ),
    rule(
        "cc-header-cannot-open",
        "cannot open source file|cannot open include file",
        r"cannot open (?:source|include) file:? [\"']?([^\"'\s]{1,250})",
        "missing_header",
        "compile",
        STRONG,
    ),
    rule(
        "rc-missing-header",
        "no such file",
        r"^\S+\.(?:c|h|cc|cpp|S|pyx|rc):\d+:\d*:? ?#?include.{0,40}?[<\"]([^>\"]{1,200})",
        "missing_header",
        "compile",
        GOOD,
    ),
    rule(
        "bindgen-missing-header",
        "fatal error",
        r"fatal error: '([^']{1,250})' file not found",
        "missing_header",
        "compile",
        STRONG,
    ),
    rule(
        "fortran-missing-module",
        "cannot open module file|can't open module file",
        r"(?:Cannot|Can't) open module file '([^']{1,200})'",
        "missing_header",
        "compile",
        STRONG,
    ),
    rule(
        "fortran-missing-include",
        "can't open included file",
        r"Can't open included file '([^']{1,200})'",
        "missing_header",
        "compile",
        STRONG,
    ),
    rule(
        "moc-missing-header",
        "no such file",
        r"(?:moc|uic|rcc)\S*: .{0,80}?([^\s:'\"]+\.(?:h|ui|hpp)): No such file",
        "missing_header",
        "compile",
        GOOD,
    ),
)

_LANGUAGE: Final = (
    rule(
        "cxx-standard-forbids",
        "does not allow|no longer|not allowed in|removed in",
        r"ISO C(?:\+\+)?\d* (?:does not allow|no longer allows?|forbids) ([^\[;]{3,90}?)(?: \[|;|$)",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "c-keyword-clash",
        "is a keyword with|cannot be defined via|cannot use keyword",
        r"error: '(\w+)' (?:is a keyword with '[^']+' onwards|cannot be defined via 'typedef')|"
        r"error: cannot use keyword '(\w+)' as",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "c-two-types-bool",
        "two or more data types|cannot combine with previous",
        r"error: (?:two or more data types in declaration specifiers|cannot combine with previous '([^']+)')",
        "compiler_error_language_change",
        "compile",
        GOOD,
        with_file=True,
        culprit="bool",
        after=r"\b(bool|true|false|thread_local|nullptr|constexpr)\b",
        span=3,
    ),
    rule(
        "c-bool-identifier",
        "expected identifier|expected ",
        r"error: expected (?:identifier|identifier or '\(') before '(true|false|bool|nullptr|constexpr)'",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "c-false-incompatible",
        "incompatible types when returning type '_bool'|_bool",
        r"error: incompatible types when returning type '_Bool' but '([^']{1,80})'",
        "compiler_error_language_change",
        "compile",
        GOOD,
        with_file=True,
    ),
    rule(
        "c-empty-parameter-list",
        "too many arguments to function|conflicting types",
        r"error: too many arguments to function '([^']{1,100})'; expected 0, have",
        "compiler_error_language_change",
        "compile",
        STRONG + 2,
        with_file=True,
    ),
    rule(
        "cxx-transitive-include",
        "is defined in header|did you forget to|probably fixable by adding",
        r"note: '([^']{1,100})' is defined in header '<([\w.]+)>'",
        "compiler_error_language_change",
        "compile",
        STRONG,
        before=r"error: .{0,300}",
        must=True,
        span=8,
        noisy=True,
    ),
    rule(
        "cxx-stdint-missing",
        "does not name a type|was not declared|has not been declared|unknown type name",
        r"error: (?:unknown type name )?'((?:std::)?u?int(?:8|16|32|64|ptr)_t)'",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cxx-std-not-member",
        "is not a member of 'std|no member named|no type named|no template named",
        r"error: (?:'([^']{1,80})' is not a member of 'std'|'([^']{1,80})' in namespace 'std' does not name|"
        r"no (?:member|type|template) named '([^']{1,80})' in namespace 'std')",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "c-incompatible-pointer",
        "incompatible pointer|incompatible integer|incompatible function pointer",
        r"error: .{0,200}?(?:argument \d+ of '([^']{1,100})' )?.{0,200}?(?:from|to|"
        r"with) (?:an )?incompatible (?:function )?pointer type|"
        r"error: incompatible (?:function )?pointer types? .{0,60}?'([^']{1,150})'",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "c-int-conversion",
        "makes pointer from integer|makes integer from pointer|incompatible integer to pointer|"
        "incompatible pointer to integer|-wint-conversion|-wincompatible-pointer-types",
        r"error: .{0,200}?(?:of '([^']{1,100})' )?(?:makes (?:pointer|integer) from (?:integer|pointer)|"
        r"incompatible (?:integer to pointer|pointer to integer) conversion)",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "c-implicit-int",
        "implicit-int|type defaults to 'int'|type specifier missing",
        r"error: (?:type defaults to 'int' in declaration of '(\w+)'|return type defaults to 'int'|"
        r"type specifier missing, defaults to 'int')",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
        culprit="implicit int",
    ),
    rule(
        "c-return-mismatch",
        "with no value|return with a value|should return a value|should not return a value|return-mismatch",
        r"error: (?:'?return'? with (?:no|a) value|non-void function '(\w+)' should return|"
        r"void function '(\w+)' should not).{0,120}",
        "compiler_error_language_change",
        "compile",
        GOOD,
        with_file=True,
        culprit="return-mismatch",
    ),
    rule(
        "cxx-register",
        "register",
        r"error: ISO C\+\+17 does not allow '(register)' storage",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cxx-std-removed",
        "auto_ptr|random_shuffle|bind1st|bind2nd|unary_function|binary_function|mem_fun|unexpected_handler|"
        "ptr_fun|uncaught_exception",
        r"error: .{0,120}?\b(auto_ptr|random_shuffle|bind1st|bind2nd|unary_function|binary_function|"
        r"mem_fun(?:_ref)?|unexpected_handler|ptr_fun|uncaught_exception)\b",
        "compiler_error_language_change",
        "compile",
        STRONG + 3,
        with_file=True,
    ),
    rule(
        "cxx-needs-standard",
        "requires at least|c++1|c++2|std=",
        r"(?:#error|error: #error|static assertion failed|static_assert failed).{0,100}?(C\+\+\d\d|-std=\S+|"
        r"C\+\+ ?\d\d)",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cxx-narrowing",
        "narrowing conversion",
        r"error: (narrowing conversion) of '([^']{1,120})'",
        "compiler_error_language_change",
        "compile",
        GOOD,
        with_file=True,
    ),
    rule(
        "cc-werror",
        "[-werror|werror=|werror,",
        r"(?:error|错误|Fehler|erreur) ?: (?:.{0,300}?'([^']{1,100})'.{0,300}?|.{0,600}?)\[-W(?:error=|"
        r"error,-W)([\w+-]+)[=\]]",
        "compiler_error_language_change",
        "compile",
        GOOD + 4,
        with_file=True,
    ),
    rule(
        "clang-fortran-mismatch",
        "rank mismatch|type mismatch",
        r"Error: ((?:Rank|Type) mismatch) (?:between actual argument|in argument '(\w+)')",
        "compiler_error_language_change",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cc-unrecognised-option",
        "unrecognized command-line option|unrecognized command line option|unknown argument|unsupported option|"
        "无法识别的命令行选项|unrecognized option",
        r"error: (?:unrecognized command[ -]line option|unknown argument:?|unsupported option|"
        r"无法识别的命令行选项) ?:?'?([^'; ]{1,120})",
        "toolchain_version",
        "compile",
        GOOD + 6,
    ),
    rule(
        "cc-bad-arch-option",
        "bad value|unknown target cpu|unsupported argument",
        r"error: (?:bad value \(?'?([^')]{1,60})'?\)? for '?(-m(?:arch|tune|cpu)=?)|unknown target CPU '([^']+)'|"
        r"unsupported argument '([^']+)' to option '(-m\w+=?)')",
        "architecture_unsupported",
        "compile",
        GOOD + 4,
    ),
)

RULES: Final[tuple[Rule, ...]] = _HEADERS + _LANGUAGE
