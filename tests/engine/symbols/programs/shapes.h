// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace geometry
{
class Shape
{
public:
  explicit Shape (std::string name) : name_ (std::move (name)) { count++; }
  Shape (const Shape &other) : name_ (other.name_) { count++; }
  virtual ~Shape ();
  virtual double area () const = 0;
  const std::string &name () const { return name_; }
  static int count;
  static int how_many () { return count; }

private:
  std::string name_;
};

template <typename T, int N>
class Polygon : public Shape
{
public:
  Polygon (std::initializer_list<T> sides) : Shape ("polygon"), sides_ (sides) {}
  ~Polygon () override { sides_.clear (); }
  double area () const override
  {
    double sum = 0;
    for (const T &side : sides_)
      sum += static_cast<double> (side) * N;
    return sum;
  }
  T longest () const;

private:
  std::vector<T> sides_;
};

template <typename T, int N>
T
Polygon<T, N>::longest () const
{
  T best{};
  for (const T &side : sides_)
    best = side > best ? side : best;
  return best;
}

double total (const std::vector<const Shape *> &shapes, const std::function<double (double)> &weigh);
}

extern "C" int plain_c_name (int x);
