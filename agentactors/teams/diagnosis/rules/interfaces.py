"""What compilers say of interfaces that changed, and of source code that is wrong."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import DECISIVE, ERROR_WORD, FAIR, GOOD, STRONG, WEAK, Rule, rule

_INTERFACE: Final = (
    rule(
        "cxx-char8",
        "char8_t",
        r"error: .{0,200}?(char8_t)\b",
        "compiler_error_language_change",
        "compile",
        STRONG + 1,
        with_file=True,
    ),
    rule(
        "kernel-implicit",
        "implicit declaration",
        r"error: implicit declaration of function '([^']{1,120})'",
        "dependency_api_change",
        "compile",
        STRONG + 3,
        with_file=True,
        needs="kernel",
    ),
    rule(
        "kernel-incompatible",
        "incompatible",
        r"error: initialization of '[^']{0,300}' from incompatible pointer type",
        "dependency_api_change",
        "compile",
        STRONG + 3,
        with_file=True,
        needs="kernel",
        after=r"[=,] *\.?(?:\w+ *= *)?&?(\w+)",
        span=2,
    ),
    rule(
        "kernel-incompatible-pass",
        "incompatible pointer",
        r"error: (?:passing argument \d+ of|assignment to|returning) '([^']{1,200})'.{0,300}?from incompatible poi"
        r"nter",
        "dependency_api_change",
        "compile",
        STRONG + 3,
        with_file=True,
        needs="kernel",
    ),
    rule(
        "kernel-conversion",
        "makes pointer from integer|makes integer from pointer",
        r"error: .{0,200}?makes (?:pointer|integer) from",
        "dependency_api_change",
        "compile",
        STRONG + 1,
        with_file=True,
        needs="kernel",
        after=r"\b(\w{1,100}) {0,3}\(",
        span=2,
    ),
    rule(
        "kernel-undeclared",
        "undeclared",
        r"error: '([^']{1,120})' undeclared",
        "dependency_api_change",
        "compile",
        STRONG + 2,
        with_file=True,
        needs="kernel",
    ),
    rule(
        "cc-implicit",
        "implicit declaration|implicitly declaring|undeclared function|隐式声明",
        r"(?:error|错误|Fehler) ?: (?:implicit declaration of (?:C )?function|implicitly declaring library function|"
        r"call to undeclared (?:library )?function|函数|Implizite Deklaration der Funktion) ?'([^']{1,120})'",
        "implicit_declaration",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cc-implicit-zh",
        "隐式声明",
        r"错误 ?: .{0,20}?隐式声明函数 ?'([^']{1,120})'",
        "implicit_declaration",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cc-no-member",
        "has no member named|no member named|没有名为",
        r"(?:error|错误) ?: (?:'(?:(?:const )?(?:volatile )?(?:class|struct|union|"
        r"enum) )?([^']{1,160})'(?: \{aka [^}]{0,200}\})? (?:has no member named|没有名为) ?'([^']{1,120})'|"
        r"no member named '([^']{1,120})' in '(?:struct |class )?([^']{1,160})')",
        "dependency_api_change",
        "compile",
        STRONG - 1,
        with_file=True,
    ),
    rule(
        "cc-not-a-member",
        "is not a member of|不是|no member named",
        r"(?:error|错误) ?: '([^']{1,120})' (?:is not a member of|不是) ?'([^']{1,120})'",
        "dependency_api_change",
        "compile",
        STRONG - 1,
        with_file=True,
    ),
    rule(
        "cxx-no-match",
        "no matching function|no matching member|no matching constructor|no match for|no viable|"
        "no known conversion|没有匹配|could not convert|cannot convert|ambiguous",
        r"error: (?:no matching (?:member )?(?:function|constructor) (?:for call to|"
        r"for initialization of) '([^'(]{1,190})|no match for '([^']{1,60})' \(operand types? (?:are|"
        r"is) '([^']{1,100})'|no match for '([^']{1,60})'|no match for call to '\(?([^'()]{1,150})|"
        r"no viable [\w ]{3,60}'([^']{1,150})'|no viable ([\w ]{3,60}))",
        "dependency_api_change",
        "compile",
        STRONG - 2,
        with_file=True,
    ),
    rule(
        "cxx-no-match-zh",
        "没有匹配|对",
        r"错误 ?: (?:对|没有匹配的函数.{0,20}?)'([^']{1,190})'的?调用(?:没有匹配的函数)?",
        "dependency_api_change",
        "compile",
        STRONG - 2,
        with_file=True,
    ),
    rule(
        "cxx-ambiguous",
        "ambiguous",
        r"error: (?:ambiguous overload for '([^']{1,60})'(?: \(operand types? (?:are|is) '([^']{1,100})')?|"
        r"call of overloaded '([^'(]{1,150})|use of overloaded operator '([^']{1,60})' is ambiguous \(with operand"
        r" types '([^']{1,100})'|call to '([^']{1,120})' is ambiguous|reference to '([^']{1,120})' is ambiguous|"
        r"conversion from '([^']{1,100})')",
        "dependency_api_change",
        "compile",
        STRONG - 2,
        with_file=True,
    ),
    rule(
        "cxx-incomplete",
        "incomplete type|incomplete element|implicit instantiation of undefined|不完全的类型",
        r"error: (?:.{0,120}?incomplete (?:element )?type '(?:(?:const )?(?:class|struct|union|"
        r"enum) )?([^']{1,160})'|implicit instantiation of undefined template '([^']{1,160})'|"
        r"'?([^']{1,120})'? has (?:initializer but )?incomplete type|"
        r"aggregate '([^']{1,140})' has incomplete type)",
        "dependency_api_change",
        "compile",
        STRONG - 2,
        with_file=True,
    ),
    rule(
        "cc-arguments",
        "too few arguments|too many arguments|参数太少|参数太多|expects at",
        r"(?:error|错误) ?: (?:too (?:few|many) arguments (?:to|provided to|in) ?(?:function |macro |"
        r"method )?(?:call to )?(?:'([^'(]{1,160}))?|提供给函数'([^']{1,100})'的参数太[少多])",
        "dependency_api_change",
        "compile",
        STRONG - 2,
        with_file=True,
        after=r"\b(\w{1,100}) {0,3}\(",
        span=2,
    ),
    rule(
        "c-prototype-conflict",
        "conflicting types for",
        r"error: conflicting types for '([^']{1,140})'",
        "compiler_error_language_change",
        "compile",
        GOOD + 9,
        after=r"previous declaration of '[^']{1,140}' with type '[^']{0,160}\(void\)'",
        must=True,
        with_file=True,
        span=8,
    ),
    rule(
        "cc-conflicting-types",
        "conflicting types for|类型冲突|conflicting declaration",
        r"(?:error|错误) ?: (?:conflicting types for|conflicting declaration|与) ?'([^']{1,140})'",
        "dependency_api_change",
        "compile",
        GOOD + 6,
        with_file=True,
    ),
    rule(
        "cxx-override",
        "marked 'override'|marked override|does not override|but does not",
        r"error: '?([^']{1,160})'? ?marked '?override'?,? but does not override|"
        r"error: '([^']{1,60})' marked 'override'",
        "dependency_api_change",
        "compile",
        STRONG - 3,
        with_file=True,
    ),
    rule(
        "cxx-abstract",
        "abstract",
        r"error: (?:invalid new-expression of abstract class type '([^']{1,120})'|"
        r"cannot declare .{0,120}?abstract type '([^']{1,120})'|"
        r"allocating an object of abstract class type '([^']{1,120})')",
        "dependency_api_change",
        "compile",
        STRONG - 3,
        with_file=True,
    ),
    rule(
        "cxx-invalid-init",
        "invalid initialization|cannot bind|invalid conversion|invalid user-defined|cannot convert|"
        "could not convert|cannot initialize|no viable conversion|conversion from",
        r"error: (?:invalid (?:initialization of|conversion from|"
        r"user-defined conversion from).{0,120}?'([^']{1,140})'|cannot (?:bind|convert|"
        r"initialize).{0,120}?'([^']{1,140})'|could not convert '([^']{1,140})'|"
        r"conversion from '([^']{1,140})' to non-scalar)",
        "dependency_api_change",
        "compile",
        GOOD + 8,
        with_file=True,
    ),
    rule(
        "cxx-deleted",
        "use of deleted function|call to deleted|attempt to use a deleted|call to implicitly-deleted",
        r"error: (?:use of deleted function '([^'(]{1,180})|(?:call to|attempt to use a|"
        r"overload resolution selected) (?:implicitly-)?deleted ([\w ]{3,40})(?: of '([^']{1,140})')?)",
        "dependency_api_change",
        "compile",
        GOOD + 8,
        with_file=True,
    ),
    rule(
        "cxx-access",
        "is private within|is protected within|is a private member|is a protected member",
        r"error: '([^']{1,160})' is (?:a )?(?:private|protected)",
        "dependency_api_change",
        "compile",
        GOOD + 6,
        with_file=True,
    ),
    rule(
        "cxx-template-argument",
        "template argument|template parameter|wrong number of template|constraints not satisfied|no type named|"
        "no class template named",
        r"error: (?:wrong number of template arguments|too (?:few|"
        r"many) template arguments for class template '([^']{1,100})'|template argument \d+ is invalid|"
        r".{0,60}?constraints not satisfied|no (?:type|class template|"
        r"template) named '([^']{1,140})' in '([^']{1,140})')",
        "dependency_api_change",
        "compile",
        GOOD + 4,
        with_file=True,
    ),
    rule(
        "cxx-fmt-consteval",
        "consteval|call to immediate function|not a constant expression",
        r"error: (?:call to (?:consteval|immediate) function '([^']{1,150})|"
        r".{0,100}?'([^']{1,140})' is not a constant expression)",
        "dependency_api_change",
        "compile",
        GOOD + 6,
        with_file=True,
    ),
    rule(
        "cxx-static-assert",
        "static assertion failed|static_assert",
        r"error: (?:static assertion failed|static_assert failed)(?: due to requirement)?[: ]+[\"']?([^\"]{3,180})",
        "source_code_error",
        "compile",
        GOOD,
        with_file=True,
    ),
    rule(
        "cc-unknown-type-name",
        "unknown type name|does not name a type|未知的类型名|不是一个类型名",
        r"(?:error|错误) ?: (?:unknown type name|未知的类型名) ?'([^']{1,120})'|"
        r"error: '([^']{1,120})'(?: in .{0,120}?)? does not name a (?:template )?type",
        "dependency_api_change",
        "compile",
        GOOD + 7,
        with_file=True,
    ),
    rule(
        "cxx-not-declared-scope",
        "was not declared in this scope|has not been declared|use of undeclared identifier|is not declared|"
        "在此作用域中尚未声明|未声明|undeclared",
        r"(?:error|错误) ?: '([A-Za-z_]*[A-Z:]\w*(?:[\w:]*))'.{0,20}?(?:was not declared in this scope|"
        r"has not been declared|undeclared|在此作用域中尚未声明|未声明)|error: (?:use of undeclared identifier|"
        r"no symbol) '([A-Za-z_]*[A-Z:]\w*(?:[\w:]*))'",
        "dependency_api_change",
        "compile",
        GOOD + 6,
        with_file=True,
    ),
    rule(
        "cxx-override-return",
        "conflicting return type|looser|virtual function",
        r"error: (?:conflicting return type specified for|virtual function) '([^']{1,160})'",
        "dependency_api_change",
        "compile",
        GOOD + 6,
        with_file=True,
    ),
    rule(
        "cxx-qualified-id",
        "expected unqualified-id|is not a class, namespace|is not a class or namespace|has not been declared",
        r"error: '([^']{1,120})' (?:is not a class,? (?:namespace|or namespace)|has not been declared)",
        "dependency_api_change",
        "compile",
        GOOD + 4,
        with_file=True,
    ),
)

_SOURCE: Final = (
    rule(
        "cc-error-directive",
        "#error",
        r"(?:error: )?#error:? *[\"']?(.{0,60}?(?:[Uu]nsupported|[Uu]nknown|not supported|"
        r"[Pp]lease port).{0,40}?(?:arch\w*|CPU|cpu|platform|target|processor|machine|byte order|"
        r"endian)\w*.{0,60})",
        "architecture_unsupported",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cc-error-directive-version",
        "#error",
        r"(?:error: )?#error:? *[\"']?(?=\S)(.{0,100}?(?:version|newer|too old|at least|or later|requires|"
        r"required).{0,80})",
        "version_conflict",
        "compile",
        GOOD + 5,
        with_file=True,
    ),
    rule(
        "cc-error-directive-other",
        "#error",
        r"(?:error: |^)#error:? *[\"']?(.{3,160})",
        "build_system_error",
        "compile",
        GOOD,
        with_file=True,
    ),
    rule(
        "as-unknown-instruction",
        "no such instruction|unrecognized instruction|unknown mnemonic|invalid instruction mnemonic|"
        "unrecognized opcode|unknown opcode|selected processor does not support|unsupported instruction",
        r"(?:no such instruction: '?|unrecognized (?:instruction(?: mnemonic)?|opcode):? '?|unknown mnemonic '?|"
        r"unknown opcode '?|invalid instruction mnemonic '|selected processor does not support '?|"
        r"unsupported instruction '?)([^'\s]{1,60})",
        "architecture_unsupported",
        "compile",
        STRONG - 2,
        with_file=True,
    ),
    rule(
        "cc-intrinsics-arch",
        "immintrin|xmmintrin|emmintrin|cpuid.h|sys/io.h|arm_neon",
        r"fatal error: '?((?:[a-z]*mmintrin|x86intrin|cpuid|sys/io|arm_neon|altivec)\.h)'?",
        "architecture_unsupported",
        "compile",
        STRONG + 1,
        with_file=True,
    ),
    rule(
        "cc-target-option-mismatch",
        "target specific option mismatch|inlining failed",
        r"error: inlining failed in call to '(?:always_inline)?' ?'([^']{1,120})'.{0,80}?target specific option mi"
        r"smatch",
        "architecture_unsupported",
        "compile",
        GOOD + 5,
        with_file=True,
    ),
    rule(
        "cc-ice",
        "internal compiler error|编译器内部错误|please submit a full bug report",
        r"internal compiler error: (?!Killed)(.{3,160})",
        "toolchain_version",
        "compile",
        STRONG,
        with_file=True,
    ),
    rule(
        "cc-undeclared",
        "undeclared|was not declared|未声明",
        r"(?:error|错误) ?: (?:use of undeclared identifier )?'([^']{1,120})' ?(?:undeclared|was not declared|未声明|"
        r"has not been declared|$)",
        "source_code_error",
        "compile",
        GOOD + 2,
        with_file=True,
    ),
    rule(
        "cc-expected",
        "expected |expected:|缺少|之前有语法错误|stray|unterminated|unbalanced",
        r"(?:error|错误) ?: ((?:expected|stray|unterminated|missing terminating|unbalanced|extraneous closing|"
        r"expect|缺少|未结束)[^;]{0,120})",
        "source_code_error",
        "compile",
        GOOD - 6,
        with_file=True,
    ),
    rule(
        "cc-redefinition",
        "redefinition of|redeclaration of|redeclared|重定义",
        r"(?:error|错误) ?: (?:redefinition of|redeclaration of|.{0,60}?redeclared as.{0,60}?) ?'([^']{1,140})'|"
        r"'([^']{1,140})'重定义",
        "source_code_error",
        "compile",
        GOOD,
        with_file=True,
    ),
    rule(
        "cc-generic",
        "error: |错误: |错误：|fehler: |erreur: |ошибка: |エラー: |erro: |errore: ",
        r"^\S{1,300}?\.(?:c|h|cc|cpp|cxx|c\+\+|hpp|hh|hxx|inl|inc|tcc|ipp|m|mm|y|l|S|s|cu|ii|moc|f|f90|F90|pyx|vala|d|xs|re|rl)"
        r"(?:[:(][\d:,]*\)?)?:? *" + ERROR_WORD + r"(.{3,170})",
        "source_code_error",
        "compile",
        FAIR + 5,
        with_file=True,
    ),
    rule(
        "fortran-generic",
        "error: ",
        r"^(?:Fatal )?Error: (.{3,170}?)(?: at \(1\)|$)",
        "source_code_error",
        "compile",
        FAIR + 4,
        before=r"^(\S{1,200}\.[fF](?:\d\d|or|pp)?):\d+",
        must=True,
        span=8,
    ),
    rule(
        "make-killed-cc",
        "killed signal terminated|killed (program",
        r"(?:Killed signal terminated program|Killed \(program) ?'?([\w+-]+)",
        "out_of_memory",
        "compile",
        DECISIVE,
    ),
    rule(
        "cc-parse-error",
        "parse error|syntax error",
        r"^(\S{1,200}\.\w{1,4}):\d+(?:[:.]\d+)?: (?:error: )?(?:parse|syntax) error",
        "source_code_error",
        "compile",
        GOOD - 4,
    ),
    rule(
        "cc-weak-error",
        "error: ",
        r"(?:^|\s)(?:cc1|cc1plus|clang|gcc|g\+\+|f951|cc|c\+\+|"
        r"clang\+\+)(?:-[\d.]+)?: (?:fatal )?error: (.{3,170})",
        "toolchain_version",
        "compile",
        WEAK + 6,
    ),
)

RULES: Final[tuple[Rule, ...]] = _INTERFACE + _SOURCE
