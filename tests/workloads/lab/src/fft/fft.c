/* SPDX-License-Identifier: MIT */
#include "fft.h"

#include <math.h>
#include <stdlib.h>

#include "util/array.h"

static const double two_pi = 6.283185307179586476925;

static void butterflies(struct complex_number *even, struct complex_number *odd, size_t half,
                        double angle)
{
    for (size_t k = 0; k < half; k++) {
        double c = cos(angle * (double)k), s = sin(angle * (double)k);
        double re = c * odd[k].re - s * odd[k].im;
        double im = c * odd[k].im + s * odd[k].re;
        odd[k].re = even[k].re - re;
        odd[k].im = even[k].im - im;
        even[k].re += re;
        even[k].im += im;
    }
}

static void split(struct complex_number *data, struct complex_number *spare, size_t n)
{
    for (size_t k = 0; k < n / 2; k++) {
        spare[k] = data[2 * k];
        spare[n / 2 + k] = data[2 * k + 1];
    }
    for (size_t k = 0; k < n; k++)
        data[k] = spare[k];
}

static void transform(struct complex_number *data, struct complex_number *spare, size_t n,
                      double sign)
{
    if (n == 1)
        return;
    split(data, spare, n);
    transform(data, spare, n / 2, sign);
    transform(data + n / 2, spare, n / 2, sign);
    butterflies(data, data + n / 2, n / 2, sign * two_pi / (double)n);
}

static void transform_whole(struct complex_number *data, size_t n, double sign)
{
    struct complex_number *spare = array_new(n, sizeof *spare);

    transform(data, spare, n, sign);
    free(spare);
}

void fft_forward(struct complex_number *data, size_t n)
{
    transform_whole(data, n, -1);
}

void fft_inverse(struct complex_number *data, size_t n)
{
    transform_whole(data, n, 1);
    for (size_t k = 0; k < n; k++) {
        data[k].re /= (double)n;
        data[k].im /= (double)n;
    }
}
