// SPDX-License-Identifier: MIT
#include "shapes.h"

namespace geometry
{
int Shape::count;

Shape::~Shape ()
{
  count--;
}

namespace
{
struct Hidden
{
  static double square (double x) { return x * x; }
  double operator() (double x) const { return square (x) + 1; }
};

double
hidden_function (double x)
{
  return Hidden () (x);
}
}

static double
file_local (double x)
{
  return hidden_function (x) / 2;
}

double
total (const std::vector<const Shape *> &shapes, const std::function<double (double)> &weigh)
{
  double sum = 0;
  for (const Shape *shape : shapes)
    sum += weigh (file_local (shape->area ()));
  return sum;
}
}

extern "C" __attribute__ ((noinline)) int
plain_c_name (int x)
{
  // A class and a lambda that live in a function.
  struct Local
  {
    int value;
    __attribute__ ((noinline)) int doubled () const { return value * 2; }
  };
  auto add = [x] (int y) __attribute__ ((noinline)) { return Local{ x + y }.doubled (); };
  return add (1) + add (2);
}
