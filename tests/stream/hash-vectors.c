/* SPDX-License-Identifier: MIT */
/*
 * The hash of trace_stream against the vectors of RFC 4231 and FIPS 180-4.
 *
 * Plain C, so that it can be compiled for other processors.
 */
#include <stdio.h>

#include "../../stream/stream_hash.h"

static int count, failed;

static void check(const char *name, const unsigned char got[STREAM_HASH_SIZE], const char *hex,
                  size_t size)
{
    char text[2 * STREAM_HASH_SIZE + 1];
    for (size_t i = 0; i < size; i++)
        snprintf(text + i * 2, 3, "%02x", (unsigned)got[i]);
    int right = strcmp(text, hex) == 0;
    printf("%sok %d - %s\n", right ? "" : "not ", ++count, name);
    if (!right)
        printf("# %s, not %s\n", text, hex);
    failed += !right;
}

/* In one part, and in parts of every size. */
static void check_hmac(const char *name, const void *key, size_t key_size, const void *data,
                       size_t size, const char *hex, size_t shown)
{
    unsigned char got[STREAM_HASH_SIZE];
    struct stream_hmac hmac;
    for (size_t part = size; part; part = part > 9 ? part / 2 : part - 1) {
        stream_hmac_begin(&hmac, key, key_size);
        for (size_t at = 0; at < size; at += part)
            stream_hmac_add(&hmac, (const char *)data + at, size - at < part ? size - at : part);
        stream_hmac_end(&hmac, got);
        check(name, got, hex, shown);
    }
}

static void check_hash(const char *name, const char *data, size_t times, const char *hex)
{
    unsigned char got[STREAM_HASH_SIZE];
    struct stream_hash hash;
    stream_hash_begin(&hash);
    for (size_t i = 0; i < times; i++)
        stream_hash_add(&hash, data, strlen(data));
    stream_hash_end(&hash, got);
    check(name, got, hex, sizeof got);
}

static void check_same(void)
{
    unsigned char a[STREAM_HASH_SIZE] = {0}, b[STREAM_HASH_SIZE] = {0};
    int wrong = !stream_hash_same(a, b);
    for (unsigned i = 0; i < STREAM_HASH_SIZE * 8; i++) {
        b[i / 8] ^= (unsigned char)(1u << i % 8);
        wrong += stream_hash_same(a, b);
        b[i / 8] = 0;
    }
    printf("%sok %d - every bit counts\n", wrong ? "not " : "", ++count);
    failed += wrong != 0;
}

int main(void)
{
    unsigned char key[131], data[152], number[25];
    static const char large[] =
        "This is a test using a larger than block-size key and a larger than block-size data. The key "
        "needs to be hashed before being used by the HMAC algorithm.";
    static const char first[] = "Test Using Larger Than Block-Size Key - Hash Key First";
    memset(key, 0x0b, 20);
    check_hmac("RFC 4231, 1", key, 20, "Hi There", 8,
               "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7", 32);
    check_hmac("RFC 4231, 2", "Jefe", 4, "what do ya want for nothing?", 28,
               "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", 32);
    memset(key, 0xaa, sizeof key);
    memset(data, 0xdd, 50);
    check_hmac("RFC 4231, 3", key, 20, data, 50,
               "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe", 32);
    for (unsigned i = 0; i < sizeof number; i++)
        number[i] = (unsigned char)(i + 1);
    memset(data, 0xcd, 50);
    check_hmac("RFC 4231, 4", number, sizeof number, data, 50,
               "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b", 32);
    memset(number, 0x0c, 20);
    check_hmac("RFC 4231, 5", number, 20, "Test With Truncation", 20,
               "a3b6167473100ee06e0c796c2955552b", 16);
    check_hmac("RFC 4231, 6", key, sizeof key, first, sizeof first - 1,
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54", 32);
    check_hmac("RFC 4231, 7", key, sizeof key, large, sizeof large - 1,
               "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2", 32);
    check_hash("SHA-256 of nothing", "", 1,
               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_hash("SHA-256 of abc", "abc", 1,
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_hash("SHA-256 of 56 bytes", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_hash("SHA-256 of a million bytes", "aaaaaaaaaa", 100000,
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    check_same();
    printf("1..%d\n", count);
    return failed != 0;
}
