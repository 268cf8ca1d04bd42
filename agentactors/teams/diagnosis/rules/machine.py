"""Downloads, the network, and what the machine runs out of or refuses."""

from __future__ import annotations

from typing import Final

from agentactors.teams.diagnosis.rules.row import DECISIVE, FAIR, GOOD, STRONG, Rule, rule

_DOWNLOADS: Final = (
    rule(
        "dnf-metadata",
        "failed to download metadata|无法为仓库|下载元数据失败|cannot download repomd|failed to synchronize cache|"
        "cannot retrieve repository metadata|repomd.xml",
        r"(?:(?:Failed to download metadata|为仓库|无法为仓库).{0,20}?'?(?:for )?(?:repo(?:sitory)? )?'([^'\s]{1,100})'|"
        r"Cannot (?:download|retrieve) (?:repository metadata|repomd\.xml).{0,100}?(?:repository: )?([\w.-]*)|"
        r"Failed to synchronize cache for repo '([^']{1,100})|下载元数据失败.{0,40}?'?([\w.-]{1,80}))",
        "source_or_repo_unavailable",
        "infrastructure",
        STRONG + 5,
    ),
    rule(
        "dnf-mirrors",
        "all mirrors were tried|no more mirrors|no urls in mirrorlist",
        r"(?:All mirrors were (?:already )?tried|No more mirrors to try|No URLs in mirrorlist).{0,80}",
        "source_or_repo_unavailable",
        "infrastructure",
        GOOD + 10,
        before=r"(?:\[MIRROR\] (\S+):|for (https?://\S+))",
        span=6,
    ),
    rule(
        "dnf-status-code",
        "status code: |curl error",
        r"Status code: (?:4|5)\d\d for (\S{1,180})",
        "source_or_repo_unavailable",
        "infrastructure",
        GOOD + 11,
    ),
    rule(
        "dnf-curl-error",
        "curl error",
        r"Curl error \(\d+\): .{0,80}? for (\S{1,170})",
        "source_or_repo_unavailable",
        "infrastructure",
        GOOD + 9,
    ),
    rule(
        "dnf-download-packages",
        "error downloading packages|error downloading package|failed to download",
        r"(?:Error [Dd]ownloading [Pp]ackages?|Failed to download packages?).{0,4}",
        "source_or_repo_unavailable",
        "infrastructure",
        GOOD + 4,
        after=r"^([\w.+:~-]{4,150}): ",
    ),
    rule(
        "dnf-checksum",
        "checksum doesn't match|checksum mismatch|doesn't match",
        r"(?:[Cc]hecksum|Downloading successful, but checksum) doesn't match.{0,100}",
        "source_or_repo_unavailable",
        "infrastructure",
        GOOD + 2,
    ),
    rule(
        "dnf-gpg",
        "gpg check failed|gpg key|public key|nokey|not correct for this package",
        r"(?:GPG check FAILED|Public key for (\S+) is not installed|GPG key(?:s)? .{0,60}?(?:not correct|"
        r"not installed|failed)).{0,60}",
        "source_or_repo_unavailable",
        "infrastructure",
        GOOD + 4,
    ),
    rule(
        "http-404",
        "404",
        r"(?:(?:HTTP|error|Error|ERROR|returned|status|code|wget|curl|URL).{0,100}?\b(?:404|403|410)\b|"
        r"\b404:? +[Nn]ot [Ff]ound)",
        "source_or_repo_unavailable",
        "",
        GOOD + 2,
        before=r"(https?://\S{4,170})",
        after=r"(https?://\S{4,170})",
        span=6,
        soft=True,
    ),
    rule(
        "url-404",
        "404|403 forbidden",
        r"((?:https?|ftp)://[^\s'\"<>]{4,170}).{0,80}?(?:\b404\b|403 Forbidden|HTTP Error 40)",
        "source_or_repo_unavailable",
        "",
        GOOD + 5,
        soft=True,
    ),
    rule(
        "curl-22",
        "the requested url returned error",
        r"curl: \(\d+\) The requested URL returned error: \d+",
        "source_or_repo_unavailable",
        "prep",
        GOOD + 12,
        after=r"(https?://\S{4,170}?)['\")]?(?:\s|$)",
        before=r"(https?://\S{4,170})",
        span=8,
    ),
    rule(
        "bitbake-fetch",
        "fetcher failure|fetch failed|unable to fetch url",
        r"(?:Fetcher failure for URL: '([^']{4,170})|>>> ERROR: (\S+): fetch failed)",
        "source_or_repo_unavailable",
        "infrastructure",
        STRONG,
    ),
    rule(
        "makepkg-validity",
        "validity check",
        r"One or more files did not pass the validity check",
        "source_or_repo_unavailable",
        "prep",
        STRONG,
        before=r"^(\S+) \.\.\. FAILED",
        after=r"^(\S+) \.\.\. FAILED",
        span=20,
    ),
    rule(
        "rpm-download-failed",
        "couldn't download|download failed|failed to download|error fetching|unable to download",
        r"(?:[Cc]ouldn't download|[Ff]ailed to (?:download|fetch|retrieve)|error fetching|"
        r"[Uu]nable to download) '?((?:https?|ftp|git)://\S{1,170}|\S+\.(?:tar|zip|tgz|rpm|deb)\S{0,10})",
        "source_or_repo_unavailable",
        "",
        GOOD + 8,
    ),
    rule(
        "svn-git-repository-gone",
        "repository not found|remote branch|could not read from remote|does not appear to be a git repository|"
        "unable to checkout|reference is not a tree|couldn't find remote ref",
        r"(?:remote: Repository not found|fatal: (?:repository '([^']{1,160})' (?:not found|does not exist)|"
        r"Remote branch (\S+) not found|couldn't find remote ref (\S+)|reference is not a tree: (\S+)|"
        r"'?(\S{1,120}?)'? does not appear to be a git repository|Could not read from remote repository|"
        r"unable to read tree))",
        "source_or_repo_unavailable",
        "prep",
        GOOD + 6,
    ),
    rule(
        "container-pull",
        "manifest unknown|pull access denied|error pulling|initializing source|no such image|image not known|"
        "failed to resolve reference|failed to resolve source metadata",
        r"(?:(?:initializing source|[Ee]rror pulling|pinging container registry|pull access denied for|"
        r"reading manifest|manifest for|failed to resolve (?:reference|source metadata for)|pulling from host|"
        r"no such image:?) ['\"]?(?:docker://|\S{1,40} in )?([\w./:@-]{3,150})|manifest unknown)",
        "source_or_repo_unavailable",
        "infrastructure",
        GOOD + 12,
    ),
)

_NETWORK: Final = (
    rule(
        "resolve-host",
        "could not resolve host|couldn't resolve host|unable to resolve host|name or service not known|"
        "temporary failure in name resolution|could not resolve proxy|nodename nor servname|getaddrinfo|"
        "failed to lookup address|no such host|name resolution|unknownhostexception|无法解析主机|域名解析暂时失败|未知的名称或服务|"
        "eai_again|enotfound|unknown host|server misbehaving",
        r"(?:[Cc]ould(?:n't| not) resolve (?:host(?: ?name)?|proxy)[^\w]{0,3}(?:\(?'?([\w.-]{3,100}))?|"
        r"[Uu]nable to resolve host (?:address )?'?([\w.-]{3,100})|无法解析主机.{0,6}?'?([\w.-]{3,100})|"
        r"lookup ([\w.-]{3,100})(?: on \S+)?:? .{0,60}?(?:no such host|server misbehaving|temporary failure|"
        r"i/o timeout|connection refused)|getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]{3,100})|"
        r"UnknownHostException: ([\w.-]{3,100})|Unknown host:? '?([\w.-]{3,100})|"
        r"Temporary failure in name resolution|Name or service not known|failed to lookup address|"
        r"nodename nor servname|域名解析暂时失败|未知的名称或服务)",
        "network_in_build",
        "",
        STRONG - 3,
        before=r"((?:https?|git|ssh|ftp)://(?!doc\.rust|docs\.|go\.dev|pip\.pypa)[^\s'\")]{4,170})",
        span=8,
        soft=True,
    ),
    rule(
        "git-unable-access",
        "unable to access",
        r"fatal: unable to access '([^']{1,170})'",
        "network_in_build",
        "",
        STRONG,
        span=2,
        soft=True,
    ),
    rule(
        "connect-refused",
        "failed to connect|connection refused|couldn't connect|network is unreachable|connection timed out|"
        "could not connect|no route to host|etimedout|econnrefused|connection reset|proxy connect|"
        "newconnectionerror|cannot connect to|max retries exceeded|网络不可达|连接超时",
        r"(?:(?:[Ff]ailed to|[Cc]ould not|[Cc]ouldn't|[Cc]annot) connect to (?:server|'?([\w.-]{3,100}))|"
        r"connect(?:ion)? to '?([\w.-]{3,100})'?.{0,40}?(?:refused|timed out|failed)|[Nn]etwork is unreachable|"
        r"(?:ETIMEDOUT|ECONNREFUSED)(?: ([\w.:-]{3,60}))?|Max retries exceeded with url: (\S{1,140})|"
        r"host='([\w.-]{3,100})'|[Nn]o route to host|Connection (?:refused|timed out|reset by peer)|网络不可达|连接超时)",
        "network_in_build",
        "",
        GOOD + 2,
        soft=True,
        before=r"((?:https?|git|ssh|ftp)://(?!doc\.rust|docs\.|go\.dev|pip\.pypa)[^\s'\")]{4,170})",
        span=8,
    ),
    rule(
        "git-clone-failed",
        "failed to clone|clone of|failed to fetch submodule|clone failed",
        r"(?:[Ff]ailed to clone(?: repository:)?|clone of) '?([^\s']{1,170})",
        "network_in_build",
        "",
        GOOD + 5,
    ),
    rule(
        "cmake-externalproject",
        "failed to clone repository|error: downloading|externalproject|fetchcontent",
        r"(?:error: downloading '?([^\s']{1,170})|Failed to clone repository: '?([^\s']{1,170})|"
        r"Build step for (\w[\w-]*) failed|FETCHCONTENT_FULLY_DISCONNECTED.{0,100})",
        "network_in_build",
        "configure",
        GOOD + 4,
    ),
    rule(
        "ssl-verify",
        "certificate verify failed|ssl certificate problem|certificate signed by unknown|"
        "unable to get local issuer|pkix path",
        r"(?:certificate verify failed|SSL certificate problem:?.{0,60}|certificate signed by unknown authority|"
        r"PKIX path building failed).{0,60}",
        "network_in_build",
        "",
        GOOD,
        before=r"(https?://\S{4,170})",
        span=6,
    ),
)

_MACHINE: Final = (
    rule(
        "disk-full",
        "no space left on device|disk quota exceeded|enospc|设备上没有空间|auf dem gerät ist kein speicherplatz|"
        "not enough free space|disk full|not enough disk space|磁盘空间不足|no space left|espace disponible|"
        "no queda espacio|insufficient space|more space needed|write error: no space",
        r"(?:(\S{1,160}): )?(?:No space left on device|Disk quota exceeded|设备上没有空间|"
        r"Auf dem Gerät ist kein Speicherplatz mehr verfügbar|Aucun espace disponible sur le périphérique|"
        r"No queda espacio en el dispositivo|not enough (?:free )?(?:disk )?space|ENOSPC|[Dd]isk (?:is )?full|"
        r"磁盘空间不足|[Ii]nsufficient space in download directory \S+|(?:needs \d+\w+|"
        r"\d+\w+ more space needed) on the (\S+) filesystem)",
        "disk_full",
        "",
        DECISIVE,
    ),
    rule(
        "oom-virtual-memory",
        "virtual memory exhausted|out of memory|cannot allocate memory|memory exhausted|std::bad_alloc|无法分配内存|"
        "内存不足|虚拟内存耗尽|memoryerror|heap space|heap out of memory|heap limit|oom-kill|out-of-memory|outofmemoryerror|"
        "not enough memory",
        r"(?:(?:(cc1plus|cc1|cc1obj|f951|lto1|ld|as|rustc|clang\S*|ld\.lld|gold): )?(?:virtual memory exhausted|"
        r"out of memory(?: allocating)?|memory exhausted|虚拟内存耗尽)|[Cc]annot allocate memory|无法分配内存|"
        r"terminate called after throwing an instance of '(std::bad_alloc)'|java\.lang\.(OutOfMemoryError)|"
        r"JavaScript (heap out of memory)|LLVM ERROR: out of memory|(?:fatal error: )?runtime: (out of memory)|"
        r"memory allocation of \d+ bytes failed|Out of memory: Kill(?:ed)? process \d+ \((\S+)\)|oom-kill|"
        r"Java heap space|内存不足)",
        "out_of_memory",
        "",
        DECISIVE - 4,
        before=r"(?:[-/ ]o +\S+ .{0,200}? -c |-c )(\S+\.\w+)|Building \w+ object \S*?/?([^\s/]+)\.o$",
        span=4,
    ),
    rule(
        "oom-killed",
        "killed|sigkill|signal: 9|137|已杀死|已终止",
        r"(?:internal compiler error: Killed(?: \(program (\S+?)\))?|"
        r"(?:fatal error: )?Killed signal terminated program (\S+)|signal: 9, SIGKILL|\(signal: 9|exit (?:code|"
        r"status):? 137|^Killed$|line \d+: +\d+ Killed +(\S+)|^make.{0,60}\*\*\* \[([^\]]+)\] Killed|已杀死|已终止|"
        r"died with <Signals\.SIGKILL)",
        "out_of_memory",
        "",
        STRONG + 8,
        before=r"could not compile '([^']{1,80})'|(?<![\w./-])([\w./-]{1,200}\.(?:c|cc|cpp|cxx|rs|f90))\b",
        span=4,
    ),
    rule(
        "collect2-killed",
        "ld terminated with signal 9",
        r"collect2: fatal error: (ld) terminated with signal 9",
        "out_of_memory",
        "link",
        DECISIVE,
    ),
    rule(
        "obs-timeout",
        "seems to be stuck|job killed|no output|timed out after|killed after|build timeout|max build time|"
        "time limit|exceeded the maximum|inactivity|sigterm|wallclock|timeout",
        r"(?:Job seems to be stuck here, killed|[Nn]o output (?:has been received )?(?:in|for|"
        r"from).{0,60}?(?:\d+).{0,60}|(?:build|Build|job|Job) (?:was killed|timed out|timeout|exceeded).{0,80}|"
        r"killed after \d+.{0,60}inactivity|The job (?:exceeded|running on).{0,80}|[Cc]ommand timeout expired|"
        r"Build killed with signal TERM after.{0,60}|E: (?:Caught signal 'Terminated')|timeout(?: \w+)? exceeded)",
        "timeout",
        "",
        STRONG + 4,
    ),
    rule(
        "mock-timeout",
        "timeout|timed out",
        r"(?:commandTimeoutExpired|Timeout\(\d+\) expired for command|ERROR: Command (?:timed out|timeout)|"
        r"mock.{0,40}?timed? ?out).{0,100}",
        "timeout",
        "",
        STRONG + 4,
    ),
    rule(
        "timeout-command",
        "sending signal|timeout =>|timeout: ",
        r"(?:timeout: (?:sending signal (?:\w+)|the monitored command dumped core) ?(?:to command )?'?([^'\s]{0,10"
        r"0})|timeout => (\S.{0,80}))",
        "timeout",
        "check",
        STRONG + 8,
    ),
    rule(
        "timeout-status-124",
        "124",
        r"(?:make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*: )?([^\]:]{1,120})\] Error 124|exit (?:status|code):? 124|"
        r"returned (?:non-zero exit status )?124)",
        "timeout",
        "check",
        STRONG - 5,
        before=r"timeout (?:-\S+ (?:\d\S* )?)*\d\S* (\S{2,100})",
    ),
    rule(
        "perm-daemon",
        "input/output error|read-only file system|readonly file",
        r"(\S{1,160}): (?:Read-only file system|Input/output error|只读文件系统)",
        "permission",
        "",
        GOOD,
    ),
    rule(
        "container-mount",
        "unshare|operation not permitted|mount",
        r"(?:unshare|mount|chroot|bwrap|newuidmap|mknod|setpriv|fakeroot|buildah|podman|"
        r"newgidmap)(?:\[\d+\])?: .{0,120}?(?:Operation not permitted|Permission denied|permission denied)",
        "permission",
        "infrastructure",
        GOOD,
        soft=True,
    ),
    rule(
        "perm-denied",
        "permission denied|operation not permitted|权限不够|拒绝访问|不允许的操作|权限不足|permiso denegado|permission non accordée|"
        "keine berechtigung|accessdenied|eacces|errno 13|permesso negato|отказано в доступе|許可がありません|"
        "permissão negada|operación no permitida",
        r"(?<![^\s'\":])((?:\.{0,2}/|\w)[\w./+@~${}-]{1,180})['\"]?[:,]? ?(?:[Pp]ermission denied|"
        r"Operation not permitted|权限不够|权限不足|拒绝访问|不允许的操作|Permiso denegado|Permission non accordée|"
        r"Keine Berechtigung|Permesso negato|Отказано в доступе|許可がありません|Permissão negada|Operación no permitida)",
        "permission",
        "",
        GOOD + 6,
        soft=True,
    ),
    rule(
        "perm-denied-object",
        "permission denied|errno 13|eacces|permissionerror|accessdeniedexception",
        r"(?:PermissionError: \[Errno \d+\] .{0,60}?: '([^']{1,180})'|Permission denied: '([^']{1,180})'|"
        r"EACCES: permission denied, \w+ '([^']{1,180})'|AccessDeniedException: (\S{1,160})|"
        r"[Pp]ermission denied @ \w+ - (\S{1,160})|open (/\S{1,160}): permission denied|"
        r"mkdir (\S{1,160}): permission denied)",
        "permission",
        "",
        STRONG - 2,
    ),
    rule(
        "perm-denied-zh",
        "无法",
        r"^(?:\S+: )?无法(?:创建|删除|建立|打开|移动|改变|更改).{0,20}?'?([^\s'\"]{1,160})'? ?(?:的.{0,10})?: ?(?:权限不够|不允许的操作|拒绝访问)",
        "permission",
        "",
        GOOD + 10,
    ),
    rule(
        "segfault-tool",
        "segmentation fault|段错误|bus error|illegal instruction|核心已转储|core dumped",
        r"(?:line \d+: +\d+ )?(?:Segmentation fault|段错误|Bus error|Illegal instruction|非法指令)(?: +\((?:core dumped|"
        r"核心已转储|吐核)\))?(?: +(\S{1,140}))?",
        "source_code_error",
        "",
        FAIR,
        soft=True,
    ),
)

RULES: Final[tuple[Rule, ...]] = _DOWNLOADS + _NETWORK + _MACHINE
