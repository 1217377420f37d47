/* SPDX-License-Identifier: MIT */
#ifndef LAB_SUMMARY_H
#define LAB_SUMMARY_H

#include "lab.h"

bool summary_print(struct lab *lab);

#endif
