/* SPDX-License-Identifier: MIT */
int helper(int n);

static int twin(int n)
{
    return n - 1;
}

int helper(int n)
{
    return twin(n) + twin(n + 1);
}
