// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "shapes.h"

using namespace geometry;

template <typename F>
static double
apply (F function, double x)
{
  return function (function (x));
}

static double
risky (double x)
{
  if (x < 0)
    throw std::runtime_error ("negative: " + std::to_string (x));
  return x;
}

int
main (int argc, char **argv)
{
  Polygon<int, 3> triangle{ 3, 4, 5 };
  Polygon<double, 4> square{ 1.5, 2.5 };
  std::map<std::string, double> areas;
  std::vector<int> numbers{ 4, 2, 9, argc };

  areas[triangle.name ()] = triangle.longest ();
  areas["square"] = square.longest ();
  std::sort (numbers.begin (), numbers.end (), [] (int a, int b) { return a > b; });
  double sum = total ({ &triangle, &square }, [&areas] (double x) { return x + areas.size (); });
  try
    {
      sum += apply ([] (double x) { return risky (x - 1); }, argc);
    }
  catch (const std::exception &error)
    {
      std::printf ("%s\n", error.what ());
    }
  std::printf ("%s %f %d %d %d\n", argv[0], sum, numbers[0], Shape::how_many (), plain_c_name (argc));
  return 0;
}
