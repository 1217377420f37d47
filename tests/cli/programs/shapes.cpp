// SPDX-License-Identifier: MIT
// C++ names: a namespace, a template, a lambda, an operator, a constructor; each called as
// often as the test says.
namespace shapes {

template <typename T> T twice(T value)
{
    return value + value;
}

struct Point {
    int x;

    explicit Point(int value) : x(value)
    {
    }

    Point operator+(const Point &other) const
    {
        return Point(x + other.x);
    }
};

} // namespace shapes

static int run()
{
    auto add = [](int a, int b) { return a + b; };
    shapes::Point point = shapes::Point(1) + shapes::Point(2);

    return add(shapes::twice(3), shapes::twice<short>(4)) + add(point.x, 1);
}

int main()
{
    return run() == 18 ? 0 : 1;
}
