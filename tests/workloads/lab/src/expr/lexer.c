/* SPDX-License-Identifier: MIT */
#include "expr.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void read_number(struct lexer *lexer)
{
    lexer->number = 0;
    for (; is_digit(*lexer->at); lexer->at++)
        lexer->number = lexer->number * 10 + (uint64_t)(*lexer->at - '0');
    lexer->token = TOKEN_NUMBER;
}

void lexer_next(struct lexer *lexer)
{
    if (is_digit(*lexer->at)) {
        read_number(lexer);
        return;
    }
    lexer->sign = *lexer->at;
    switch (lexer->sign) {
    case '\0':
        lexer->token = TOKEN_END;
        return;
    case '+': case '-': case '*': case '~': case '(': case ')':
        lexer->token = TOKEN_SIGN;
        break;
    default:
        lexer->token = TOKEN_BAD;
    }
    lexer->at++;
}

void lexer_start(struct lexer *lexer, const char *text)
{
    lexer->at = text;
    lexer_next(lexer);
}
