/* SPDX-License-Identifier: MIT */
/*
 * trace_stream - ships what traced programs write into rings in shared memory to a receiver,
 * callsight-cli serve.
 *
 *     cc -O2 -o trace_stream trace_stream.c -lzstd
 *     cc -O2 -DCALLSIGHT_NO_ZSTD -o trace_stream trace_stream.c
 *     ./trace_stream /callsight0 HOST 9001 &
 *     TRACE_ENABLE=1 TRACE_SHM=/callsight0 ./program
 *
 * This process looks for rings, NAME and NAME.*; each has a process of its own that serves
 * it (stream_session.h).
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "stream_session.h"

#ifndef CALLSIGHT_VERSION
#define CALLSIGHT_VERSION "0.1.0"
#endif
#define SCAN_MS 100
#define BAD_MS 1000 /* so long may a ring be unready */
#define RINGS_MOST 256
#define OTHERS 256 /* files that are known to be no rings */
#define SPOOL_MB 64

struct options {
    const char *name; /* without a slash */
    const char *host, *port;
    const char *key_file, *spool;
    uint64_t spool_mb;
    uint32_t protocol;
    bool once;
};

/* A ring that is served, or was. */
struct served {
    char name[STREAM_RING_NAME];
    dev_t device;
    ino_t inode;
    struct stream_ring_header as;
    pid_t child; /* 0: it is done with */
    bool seen;   /* by the last scan */
};

static struct {
    struct options options;
    struct stream_key key;
    struct served rings[RINGS_MOST];
    size_t count, children;
    ino_t others[OTHERS];
    size_t other;
    int64_t bad_since; /* 0: NAME is all right */
    bool bad_said, waiting_said, full_said, served_one;
    int status;
} client;

/* --- the command line ------------------------------------------------------------- */

static const char usage[] =
    "Usage: trace_stream NAME HOST PORT [--key-file FILE] [--spool FILE] [--spool-mb N] [--once]\n"
    "                    [--protocol 2|3]\n"
    "\n"
    "Sends what programs trace into the shared memory NAME (their TRACE_SHM) to\n"
    "`callsight-cli serve` at HOST and PORT, until they have ended.\n"
    "\n"
    "  --key-file FILE  the receiver must know the key, the first line of FILE (16 to 256\n"
    "                   bytes); CALLSIGHT_KEY does the same\n"
    "  --spool FILE     keep in FILE what comes while there is no connection\n"
    "  --spool-mb N     up to N MiB (64)\n"
    "  --once           end when the connection is lost, instead of trying again\n"
    "  --protocol 2     for a receiver that knows no other\n"
    "  --version, --help\n";

static bool wrong(const char *what, const char *why)
{
    stream_say("%s: %s (see trace_stream --help)", what, why);
    return false;
}

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 9)
        return false;
    *value = strtoull(text, NULL, 10);
    return *value >= least && *value <= most;
}

static bool take_option(struct options *options, const char *option, const char *value)
{
    uint64_t n;
    if (!value)
        return wrong(option, "needs a value");
    if (strcmp(option, "--key-file") == 0) {
        options->key_file = value;
    } else if (strcmp(option, "--spool") == 0) {
        options->spool = value;
    } else if (strcmp(option, "--spool-mb") == 0) {
        if (!number(value, 1, 1 << 20, &options->spool_mb))
            return wrong("--spool-mb", "takes a number of MiB from 1 on");
    } else if (strcmp(option, "--protocol") == 0) {
        if (!number(value, 2, 3, &n))
            return wrong("--protocol", "is 2 or 3");
        options->protocol = (uint32_t)n;
    } else {
        return wrong(option, "there is no such option");
    }
    return true;
}

static bool take_name(struct options *options, const char *name)
{
    name += *name == '/';
    if (!*name || *name == '.' || strchr(name, '/') || strlen(name) > STREAM_RING_NAME - 64)
        return wrong(name, "is no name of shared memory, such as /callsight0");
    options->name = name;
    return true;
}

/* false: the command is wrong; that was said. */
static bool take_arguments(struct options *options, int count, char **arguments)
{
    const char *plain[3];
    int plains = 0;
    bool rest = false;
    uint64_t port;
    for (int i = 1; i < count; i++) {
        char *argument = arguments[i], *equals = strchr(argument, '=');
        if (rest || strncmp(argument, "--", 2) != 0) {
            if (plains == 3)
                return wrong(argument, "is one argument too many");
            plain[plains++] = argument;
        } else if (!argument[2]) {
            rest = true;
        } else if (strcmp(argument, "--once") == 0) {
            options->once = true;
        } else if (equals) {
            *equals = '\0';
            if (!take_option(options, argument, equals + 1))
                return false;
        } else if (!take_option(options, argument, i + 1 < count ? arguments[i + 1] : NULL)) {
            return false;
        } else {
            i++;
        }
    }
    if (plains < 2 || (plains == 2 && strcmp(plain[1], "auto") != 0))
        return wrong("not enough words", "NAME, HOST and PORT are needed");
    if (!take_name(options, plain[0]))
        return false;
    if (strcmp(plain[1], "auto") == 0 || strcmp(plain[2], "auto") == 0)
        return wrong("auto", "looking for a receiver in the network isn't done yet: name its host "
                             "and port");
    if (!number(plain[2], 1, 65535, &port))
        return wrong(plain[2], "is no port, which is a number from 1 to 65535");
    options->host = plain[1];
    options->port = plain[2];
    if (options->spool_mb && !options->spool)
        return wrong("--spool-mb", "says how large the file of --spool may be");
    options->spool_mb = options->spool_mb ? options->spool_mb : SPOOL_MB;
    return true;
}

/* The bytes up to the first newline. */
static bool take_key(struct stream_key *key, const char *where, const char *bytes, size_t size)
{
    const char *end = memchr(bytes, '\n', size);
    key->size = end ? (size_t)(end - bytes) : size;
    if (key->size < STREAM_KEY_LEAST || key->size > STREAM_KEY_MOST) {
        stream_say("%s: a key has 16 to 256 bytes in its first line", where);
        return false;
    }
    memcpy(key->bytes, bytes, key->size);
    return true;
}

static bool read_key(struct stream_key *key, const struct options *options)
{
    char bytes[STREAM_KEY_MOST + 2];
    const char *given = getenv("CALLSIGHT_KEY");
    size_t size = 0;
    ssize_t n = 0;
    if (!options->key_file)
        return !given || !*given || take_key(key, "CALLSIGHT_KEY", given, strlen(given));
    int fd = open(options->key_file, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && size < sizeof bytes && (n = read(fd, bytes + size, sizeof bytes - size)) > 0)
        size += (size_t)n;
    if (fd < 0 || n < 0) {
        stream_say("%s: cannot read the key: %s", options->key_file, strerror(errno));
        return false;
    }
    close(fd);
    return take_key(key, options->key_file, bytes, size);
}

/* --- a ring's own process ------------------------------------------------------------ */

static void on_end(int signal_number)
{
    (void)signal_number;
    stream_stopping = 1;
}

/* The ring became shorter than it was: what was mapped isn't there any more. */
static _Noreturn void on_bus(int signal_number)
{
    static const char text[] = "trace_stream: the ring was cut short while it was read\n";
    (void)signal_number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(STREAM_USAGE);
    _exit(STREAM_USAGE);
}

static int serve(const char *name)
{
    static struct stream_session session;
    const struct options *options = &client.options;
    const char *why = "";
    char spool[PATH_MAX];
    if (stream_ring_attach(&session.ring, name, &why) != STREAM_RING)
        return STREAM_DONE; /* it went away again */
    stream_ring_ask_pid(&session.ring);
    session.once = options->once;
    session.link.protocol = options->protocol;
    session.link.host = options->host;
    session.link.port = options->port;
    session.link.key = &client.key;
    session.spool.fd = -1;
    snprintf(spool, sizeof spool, "%s%s", options->spool ? options->spool : "",
             name + strlen(options->name));
    if (options->spool && !stream_spool_open(&session.spool, spool, options->spool_mb << 20))
        return STREAM_USAGE;
    return stream_session_room(&session) ? stream_session_run(&session) : STREAM_NO;
}

static void start(struct served *served)
{
    pid_t parent = getpid();
    served->child = fork();
    if (served->child < 0) {
        served->child = 0;
        stream_say("cannot start a process: %s", strerror(errno));
        client.status = STREAM_NO;
        return;
    }
    if (served->child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(STREAM_NO);
        signal(SIGBUS, on_bus);
        _exit(serve(served->name));
    }
    client.children++;
    client.served_one = true;
}

/* --- looking for rings ---------------------------------------------------------------- */

/* Whether a thread of the ring's run left something in its buffer. */
static bool has_tails(const char *name, const struct stream_ring_header *as)
{
    static struct stream_ring ring;
    struct stream_tail tail;
    bool has = false;
    const struct dirent *entry;
    const char *behind;
    DIR *folder = opendir(STREAM_RING_FOLDER);
    snprintf(ring.name, sizeof ring.name, "%s", name);
    ring.as = *as;
    while (folder && !has && (entry = readdir(folder))) {
        if (stream_tail_is_named(name, entry->d_name, &behind) &&
            stream_tail_open(&tail, &ring, behind)) {
            has = tail.head.used > 0;
            close(tail.fd);
        }
    }
    if (folder)
        closedir(folder);
    return has;
}

/* Whether the ring has nothing to send, and will have nothing. */
static bool is_spent(const char *name, const struct stream_ring_header *as)
{
    return as->writers == 0 && as->head == as->tail && !has_tails(name, as);
}

static void found_ring(const char *name, const struct stat *info,
                       const struct stream_ring_header *as)
{
    struct served *place = NULL;
    for (size_t i = 0; i < client.count; i++) {
        struct served *known = &client.rings[i];
        if (known->inode == info->st_ino && known->device == info->st_dev &&
            strcmp(known->name, name) == 0 &&
            (known->child || stream_ring_same_run(&known->as, as))) {
            known->seen = true;
            return;
        }
        if (!known->child && !known->seen && !place)
            place = known;
    }
    if (is_spent(name, as))
        return;
    if (!place && client.count == RINGS_MOST) {
        if (!client.full_said)
            stream_say("/%s: more than %d rings are not served", name, RINGS_MOST);
        client.full_said = true;
        return;
    }
    if (!place)
        place = &client.rings[client.count++];
    memset(place, 0, sizeof *place);
    snprintf(place->name, sizeof place->name, "%s", name);
    place->device = info->st_dev;
    place->inode = info->st_ino;
    place->as = *as;
    place->seen = true;
    start(place);
}

static bool is_other(ino_t inode)
{
    for (size_t i = 0; i < OTHERS; i++) {
        if (client.others[i] == inode)
            return true;
    }
    return false;
}

static void look_at(const char *name, bool first)
{
    struct stream_ring_header as;
    struct stat info;
    const char *why = "";
    int fd;
    memset(&info, 0, sizeof info);
    switch (stream_ring_look(name, first, &fd, &info, &as, &why)) {
    case STREAM_RING:
        close(fd);
        client.bad_since = first ? 0 : client.bad_since;
        found_ring(name, &info, &as);
        break;
    case STREAM_NO_RING:
        if (info.st_ino)
            client.others[client.other++ % OTHERS] = info.st_ino;
        break;
    case STREAM_BAD_RING:
        if (first && !client.bad_since)
            client.bad_since = stream_now();
        if (first && !client.bad_said && stream_now() - client.bad_since >= BAD_MS) {
            stream_say("/%s: %s", name, why);
            client.bad_said = true;
        }
        break;
    case STREAM_NOT_YET:
        break;
    }
}

/* Looks at all that may be a ring of NAME. */
static void scan(void)
{
    size_t length = strlen(client.options.name);
    const struct dirent *entry;
    DIR *folder = opendir(STREAM_RING_FOLDER);
    for (size_t i = 0; i < client.count; i++)
        client.rings[i].seen = false;
    look_at(client.options.name, true);
    while (folder && (entry = readdir(folder))) {
        const char *name = entry->d_name;
        if (strncmp(name, client.options.name, length) == 0 && name[length] == '.' &&
            strlen(name) < STREAM_RING_NAME && !strstr(name + length, ".process") &&
            !is_other(entry->d_ino))
            look_at(name, false);
    }
    if (folder)
        closedir(folder);
}

/* --- its whole life ----------------------------------------------------------------- */

static void reap(void)
{
    int status;
    pid_t pid;
    while (client.children && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
        for (size_t i = 0; i < client.count; i++) {
            if (client.rings[i].child == pid) {
                client.rings[i].child = 0;
                client.children--;
            }
        }
        int ended = WIFEXITED(status) ? WEXITSTATUS(status) : STREAM_NO;
        if (WIFSIGNALED(status))
            stream_say("the process of a ring was ended by signal %d", WTERMSIG(status));
        if (ended && client.status != STREAM_NO)
            client.status = ended;
    }
}

/* Ends the processes of the rings, which send what they have read. */
static void stop(void)
{
    int64_t until = stream_now() + 3 * STREAM_STOP_MS;
    for (int signal_number = SIGTERM; client.children; signal_number = SIGKILL) {
        for (size_t i = 0; i < client.count; i++) {
            if (client.rings[i].child)
                kill(client.rings[i].child, signal_number);
        }
        while (client.children && stream_now() < until) {
            stream_sleep_us(10000);
            reap();
        }
        until = stream_now() + STREAM_STOP_MS;
        if (signal_number == SIGKILL)
            break;
    }
}

static void on_child(int signal_number)
{
    (void)signal_number; /* the sleep ends */
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

static int run(void)
{
    while (!stream_stopping) {
        reap();
        if (client.status == STREAM_NO)
            break;
        scan();
        if (!client.children && (client.served_one || client.bad_said))
            break;
        if (!client.served_one && !client.waiting_said)
            stream_say("waiting for a program that traces into /%s", client.options.name);
        client.waiting_said = true;
        stream_sleep_us(SCAN_MS * 1000);
    }
    stop();
    return client.bad_said && !client.status ? STREAM_USAGE : client.status;
}

int main(int count, char **arguments)
{
    client.options.protocol = 3;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0)
            return fputs(usage, stdout) < 0 || fflush(stdout) != 0;
        if (strcmp(arguments[i], "--version") == 0)
            return puts("trace_stream " CALLSIGHT_VERSION) < 0 || fflush(stdout) != 0;
    }
    if (!take_arguments(&client.options, count, arguments) ||
        !read_key(&client.key, &client.options))
        return STREAM_USAGE;
    if (client.options.protocol == 2 && client.key.size) {
        stream_say("--protocol 2 knows no key: leave out one of them");
        return STREAM_USAGE;
    }
    handle(SIGTERM, on_end);
    handle(SIGINT, on_end);
    handle(SIGCHLD, on_child);
    handle(SIGPIPE, SIG_IGN);
    return run();
}
