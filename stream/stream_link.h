/* SPDX-License-Identifier: MIT */
/*
 * stream_link.h - the connection to the receiver: finding it, the handshake, bytes.
 *
 * Nothing here waits without an end, and nothing is allocated by what the other side says:
 * it says 66 bytes at most.
 */
#ifndef CALLSIGHT_STREAM_LINK_H
#define CALLSIGHT_STREAM_LINK_H

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "stream_base.h"
#include "stream_hash.h"
#include "stream_ring.h"

#define STREAM_MAGIC "TKSTREAM"
#define STREAM_GREETING 64u
#define STREAM_RANDOM 32u
#define STREAM_TEXT_MOST 4096u
#define STREAM_KEY_LEAST 16u
#define STREAM_KEY_MOST 256u
#define STREAM_CONNECT_MS 10000
#define STREAM_HANDSHAKE_MS 10000
#define STREAM_STALL_MS 20000 /* without one byte taken */
#define STREAM_STOP_MS 5000   /* for what is under way when the program is told to end */
#define STREAM_SLICE_MS 20    /* between two looks at the ring */

struct stream_greeting {
    char magic[8];
    uint32_t version, event_size, flags, pad;
    uint64_t load_bias, tick_hz, t0_ticks, t0_ns, hook_ns;
};

_Static_assert(sizeof(struct stream_greeting) == STREAM_GREETING, "greeting is 64 bytes");

struct stream_key {
    unsigned char bytes[STREAM_KEY_MOST];
    size_t size; /* 0: there is none */
};

enum stream_result {
    STREAM_OK,
    STREAM_LOST,    /* try again */
    STREAM_REFUSED, /* don't */
};

struct stream_link {
    int fd; /* -1: none */
    const char *host, *port;
    uint32_t protocol; /* 2 or 3 */
    const struct stream_key *key;
    void (*idle)(void *); /* called every STREAM_SLICE_MS while something is waited for */
    void *idle_data;
    bool connected;  /* hands are shaken */
    int64_t stop_at; /* when to give up, once told to end; 0: not told */
    char why[256];   /* why it was lost */
};

/* --- waiting ------------------------------------------------------------------- */

static __attribute__((format(printf, 2, 3))) bool stream_link_fail(struct stream_link *link,
                                                                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(link->why, sizeof link->why, format, arguments);
    va_end(arguments);
    return false;
}

static void stream_link_close(struct stream_link *link)
{
    if (link->fd >= 0)
        close(link->fd);
    link->fd = -1;
    link->connected = false;
}

/* Waits until the socket can do that, or for a time.  Once the program was told to end, not
 * for longer than it has for that, and before hands are shaken not at all. */
static bool stream_link_wait(struct stream_link *link, short events, int64_t deadline)
{
    for (;;) {
        int64_t now = stream_now();
        if (stream_stopping && !link->stop_at)
            link->stop_at = now + (link->connected ? STREAM_STOP_MS : 0);
        if (link->stop_at && deadline > link->stop_at)
            deadline = link->stop_at;
        int64_t left = deadline - now;
        struct pollfd one = {.fd = link->fd, .events = events};
        int ready = poll(&one, 1,
                         (int)(left <= 0                ? 0
                               : left < STREAM_SLICE_MS ? left
                                                        : STREAM_SLICE_MS));
        if (ready > 0)
            return true;
        if (left <= 0)
            return false;
        if (link->idle)
            link->idle(link->idle_data);
    }
}

static bool stream_link_send(struct stream_link *link, const void *data, size_t size)
{
    const unsigned char *from = data;
    int64_t deadline = stream_now() + STREAM_STALL_MS;
    while (size) {
        ssize_t n = send(link->fd, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            from += n;
            size -= (size_t)n;
            deadline = stream_now() + STREAM_STALL_MS;
            continue;
        }
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return stream_link_fail(link, "the connection was lost: %s", strerror(errno));
        if (!stream_link_wait(link, POLLOUT, deadline))
            return stream_link_fail(link, "the receiver takes nothing any more");
    }
    return true;
}

/* Reads just so many bytes. */
static bool stream_link_receive(struct stream_link *link, void *data, size_t size, int64_t deadline)
{
    unsigned char *to = data;
    while (size) {
        ssize_t n = recv(link->fd, to, size, MSG_DONTWAIT);
        if (n > 0) {
            to += n;
            size -= (size_t)n;
            continue;
        }
        if (n == 0)
            return stream_link_fail(
                link, "the receiver closed the connection in the handshake%s",
                link->protocol == 3 ? " (one that knows version 2 alone takes --protocol 2)" : "");
        if (errno != EAGAIN && errno != EINTR)
            return stream_link_fail(link, "the connection was lost in the handshake: %s",
                                    strerror(errno));
        if (!stream_link_wait(link, POLLIN, deadline))
            return stream_link_fail(link, "the receiver didn't answer in %d seconds",
                                    STREAM_HANDSHAKE_MS / 1000);
    }
    return true;
}

/* Whether the other side is still there, as far as that can be seen.  It has nothing to
 * say any more. */
static bool stream_link_is_open(struct stream_link *link)
{
    char byte;
    ssize_t n = recv(link->fd, &byte, 1, MSG_DONTWAIT);
    if (n == 0)
        return stream_link_fail(link, "the receiver closed the connection");
    if (n > 0)
        return stream_link_fail(link, "the receiver said what isn't in the protocol");
    if (errno == EAGAIN || errno == EINTR)
        return true;
    return stream_link_fail(link, "the connection was lost: %s", strerror(errno));
}

/* Ends the connection so that all that was sent arrives: the other side closes when it has
 * read that. */
static bool stream_link_finish(struct stream_link *link)
{
    char byte;
    int64_t deadline = stream_now() + STREAM_HANDSHAKE_MS;
    bool done = false;
    if (shutdown(link->fd, SHUT_WR) != 0)
        return stream_link_fail(link, "the connection was lost: %s", strerror(errno));
    while (!done) {
        ssize_t n = recv(link->fd, &byte, 1, MSG_DONTWAIT);
        if (n == 0) {
            done = true;
        } else if (n > 0) {
            break;
        } else if (errno != EAGAIN && errno != EINTR) {
            break;
        } else if (!stream_link_wait(link, POLLIN, deadline)) {
            break;
        }
    }
    stream_link_close(link);
    if (!done)
        stream_link_fail(link, "the receiver didn't say that it has read all");
    return done;
}

/* --- connecting ------------------------------------------------------------------ */

static void stream_link_tune(int fd)
{
    int yes = 1, idle = 10, interval = 5, probes = 3;
    unsigned unanswered = STREAM_STALL_MS;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
#ifdef TCP_USER_TIMEOUT
    setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered, sizeof unanswered);
#else
    (void)unanswered;
#endif
}

static bool stream_link_connect_to(struct stream_link *link, const struct addrinfo *address)
{
    int error = 0;
    socklen_t size = sizeof error;
    link->fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (link->fd < 0)
        return stream_link_fail(link, "cannot make a socket: %s", strerror(errno));
    if (connect(link->fd, address->ai_addr, address->ai_addrlen) != 0) {
        if (errno != EINPROGRESS && errno != EINTR)
            error = errno;
        else if (!stream_link_wait(link, POLLOUT, stream_now() + STREAM_CONNECT_MS))
            error = ETIMEDOUT;
        else if (getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
            error = errno;
    }
    if (error) {
        stream_link_close(link);
        return stream_link_fail(link, "cannot connect to %s port %s: %s", link->host, link->port,
                                strerror(error));
    }
    stream_link_tune(link->fd);
    return true;
}

static bool stream_link_connect(struct stream_link *link)
{
    struct addrinfo want = {.ai_socktype = SOCK_STREAM,
                            .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    struct addrinfo *list = NULL;
    int wrong = getaddrinfo(link->host, link->port, &want, &list);
    if (wrong == EAI_NONAME) {
        want.ai_flags = 0;
        wrong = getaddrinfo(link->host, link->port, &want, &list);
    }
    if (wrong)
        return stream_link_fail(link, "cannot find %s port %s: %s", link->host, link->port,
                                gai_strerror(wrong));
    bool done = false;
    for (const struct addrinfo *at = list; at && !done && !stream_stopping; at = at->ai_next)
        done = stream_link_connect_to(link, at);
    freeaddrinfo(list);
    return done;
}

/* --- the handshake --------------------------------------------------------------- */

static bool stream_random(unsigned char *out, size_t size)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && size) {
        ssize_t n = read(fd, out, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        out += n;
        size -= (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return size == 0;
}

static void stream_greet(struct stream_greeting *greeting, const struct stream_ring *ring,
                         uint32_t version)
{
    const uint16_t probe = 1;
    memset(greeting, 0, sizeof *greeting);
    memcpy(greeting->magic, STREAM_MAGIC, sizeof greeting->magic);
    greeting->version = version;
    greeting->event_size = 32;
    greeting->flags = ring->as.flags & 0x3u; /* ticks, rotated */
    if (*(const unsigned char *)&probe == 0)
        greeting->flags |= 0x4u;
    greeting->load_bias = ring->as.load_bias;
    greeting->tick_hz = ring->as.tick_hz;
    greeting->t0_ticks = ring->as.t0_ticks;
    greeting->t0_ns = ring->as.t0_ns;
    greeting->hook_ns = ring->as.hook_ns;
}

/* Who sends, a line each. */
static size_t stream_introduce(char *text, size_t size, const struct stream_ring *ring)
{
    char device[256] = "";
    if (gethostname(device, sizeof device - 1) != 0 || !device[0])
        snprintf(device, sizeof device, "device");
    for (char *at = device; *at; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '_';
    }
    int n = snprintf(text, size, "device %s\nring %s\npid %u\n", device, ring->name,
                     (unsigned)ring->pid);
    return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

static void stream_prove(const struct stream_key *key, const char *who, const unsigned char *said,
                         size_t size, unsigned char proof[STREAM_HASH_SIZE])
{
    struct stream_hmac hmac;
    stream_hmac_begin(&hmac, key->bytes, key->size);
    stream_hmac_add(&hmac, who, strlen(who));
    stream_hmac_add(&hmac, said, size);
    stream_hmac_end(&hmac, proof);
}

/* After the client's part of version 3, which is `said`, behind which there is room for the
 * server's random bytes. */
static enum stream_result stream_link_answer(struct stream_link *link, unsigned char *said,
                                             size_t size, int64_t deadline)
{
    unsigned char mode, proof[STREAM_HASH_SIZE], right[STREAM_HASH_SIZE], accepted;
    if (!stream_link_receive(link, &mode, 1, deadline) ||
        (mode > 1 && !stream_link_fail(link, "what answers there is no receiver")) ||
        !stream_link_receive(link, said + size, STREAM_RANDOM, deadline))
        return STREAM_LOST;
    size += STREAM_RANDOM;
    if (mode == 0 && link->key->size) {
        stream_link_fail(link, "the receiver has no key, so that nothing proves that it is the "
                               "right one: nothing was sent");
        return STREAM_REFUSED;
    }
    if (mode == 1) {
        if (!stream_link_receive(link, proof, sizeof proof, deadline))
            return STREAM_LOST;
        if (!link->key->size) {
            stream_link_fail(link, "the receiver wants a key: give it with --key-file");
            return STREAM_REFUSED;
        }
        stream_prove(link->key, "callsight-server-3", said, size, right);
        if (!stream_hash_same(proof, right)) {
            stream_link_fail(link, "the receiver doesn't know the key: nothing was sent");
            return STREAM_REFUSED;
        }
        stream_prove(link->key, "callsight-client-3", said, size, right);
        if (!stream_link_send(link, right, sizeof right))
            return STREAM_LOST;
    }
    if (!stream_link_receive(link, &accepted, 1, deadline))
        return STREAM_LOST;
    if (accepted == 1)
        return STREAM_OK;
    stream_link_fail(link, "the receiver refused this device");
    return STREAM_REFUSED;
}

static enum stream_result stream_link_handshake(struct stream_link *link,
                                                const struct stream_ring *ring)
{
    unsigned char said[STREAM_GREETING + STREAM_RANDOM + 4 + 1024 + STREAM_RANDOM];
    struct stream_greeting greeting;
    size_t size = sizeof greeting;
    int64_t deadline = stream_now() + STREAM_HANDSHAKE_MS;
    stream_greet(&greeting, ring, link->protocol);
    memcpy(said, &greeting, sizeof greeting);
    if (link->protocol == 2)
        return stream_link_send(link, said, size) ? STREAM_OK : STREAM_LOST;
    if (!stream_random(said + size, STREAM_RANDOM)) {
        stream_link_fail(link, "there are no random bytes on this machine (/dev/urandom)");
        return STREAM_REFUSED;
    }
    size += STREAM_RANDOM;
    uint32_t n = (uint32_t)stream_introduce((char *)said + size + 4, 1024, ring);
    memcpy(said + size, &n, sizeof n);
    size += 4 + n;
    if (!stream_link_send(link, said, size))
        return STREAM_LOST;
    return stream_link_answer(link, said, size, deadline);
}

/* Connects and shakes hands. */
static enum stream_result stream_link_open(struct stream_link *link, const struct stream_ring *ring)
{
    if (!stream_link_connect(link))
        return STREAM_LOST;
    enum stream_result result = stream_link_handshake(link, ring);
    if (result != STREAM_OK)
        stream_link_close(link);
    link->connected = result == STREAM_OK;
    return result;
}

#endif
