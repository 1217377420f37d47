// SPDX-License-Identifier: MIT
// Definitions as they are written in C++. It compiles: what the compiler says is compared with what scans find.
#include <cstddef>
#include <utility>
#include <initializer_list>

#define API __attribute__ ((visibility ("default")))
#define OPEN_NAMESPACE namespace opened {
#define CLOSE_NAMESPACE }

namespace outer
{
namespace inner
{
int in_namespaces (int x) { return x; }
}
int between (int x) { return x; }
}

namespace outer::nested { static int compact (int x) { return x; } int use () { return compact (1); } }
inline namespace v1 { int in_inline (int x) { return x; } }
namespace API attributed { int in_attributed (int x) { return x; } }

namespace
{
int anonymous (int x) { return x; }
struct Hidden
{
  int in_class (int x) { return x; }
  int outside (int x);
};
int Hidden::outside (int x) { return x; }
namespace deep { int in_deep (int x) { return x; } }
}

struct Base
{
  explicit Base (int x) : value (x), pair{ x, x } {}
  Base (int x, int y)
    : value{ x }
    , pair{ x, y }
  {
    value++;
  }
  Base (const Base &other) : Base (other.value) { }
  virtual ~Base () { }
  virtual int method (int x) const noexcept { return x + value; }
  static int a_static (int x) { return x; }
  int operator+ (int x) const { return value + x; }
  int operator() (int x) { return x; }
  int operator[] (int x) { return x; }
  bool operator== (const Base &other) const { return value == other.value; }
  bool operator< (const Base &other) const { return value < other.value; }
  Base &operator= (const Base &other) { value = other.value; return *this; }
  Base &operator++ () { value++; return *this; }
  Base *operator-> () { return this; }
  explicit operator bool () const { return value != 0; }
  operator const char * () const { return ""; }
  void *operator new (size_t size) { return ::operator new (size); }
  void operator delete (void *p) { ::operator delete (p); }
  friend int friendly (Base &base) { return base.value; }
  friend bool operator!= (const Base &a, const Base &b) { return !(a == b); }
  Base &operator, (int x) { value = x; return *this; }
  auto trailing (int x) -> decltype (x) { return x; }
  [[nodiscard]] int attributed (int x) const & { return x; }
  struct Nested { int in_nested (int x) { return x; } };
  int declared (int x = 3, int y = (1 > 2));
  int with_body () const;
protected:
  int value;
  int pair[2];
  int initialised{ 3 };
};

int
Base::declared (int x, int y)
{
  return x + y;
}

int Base::with_body () const { auto lambda = [this] (int x) { return x + value; }; return lambda (1); }

struct Derived final : public Base
{
  Derived () try : Base (1) { } catch (...) { throw; }
  ~Derived () override;
  int method (int x) const noexcept override { return x; }
};

Derived::~Derived () { }

template <typename T, int N = (3 > 2)>
class API Ring
{
public:
  Ring () : items{} { }
  void push (const T &item) { items[0] = item; }
  T pop ();
  template <typename U> U convert (U u) { return u; }
  template <typename U> U outside (U u);
private:
  T items[N];
};

template <typename T, int N>
T
Ring<T, N>::pop ()
{
  return items[0];
}

template <typename T, int N> template <typename U> U Ring<T, N>::outside (U u) { return u; }

template <> class Ring<char, 5> { public: int specialised (int x) { return x; } };
template class Ring<int>;
template int Ring<int>::convert<int> (int);
template int Ring<int>::outside<int> (int);

template <typename T> T generic (T x) { return x; }
template <> long generic<long> (long x) { return x; }
template int generic<int> (int);
template <class T, class = T, bool Large = (sizeof (T) >= 4)> bool sized (T) { return Large; }
template bool sized<int> (int);

#define NOTHING(name)
NOTHING (Empty)
class Empty final : public Base { public: Empty () : Base{ 2 } { } int behind_macro (int x) { return x; } };

int operator- (const Base &a, const Derived &) { return a + 1; }
long operator""_km (unsigned long long x) { return (long) x; }
auto global_trailing (int x) -> std::pair<int, int> { return { x, x }; }
std::pair<int, std::pair<int, int>> nested_angles (int x) { return { x, { x, x } }; }
constexpr int constant (int x) { return x; }
extern "C" int linkage (int x) { return x; }
extern "C"
{
int in_linkage (int x) { return x; }
}
int initialisers (std::initializer_list<int> list = { 1, 2 }) { return (int) list.size (); }
int raw () { const char *text = R"x(} " { )x"; return text[0] + 1'000'000; }
int try_body (int x) try { return x; } catch (...) { return 0; }
static int hidden (int x) { return x; }
int brace_initialised{ 3 };
enum class Kind : unsigned { One, Two };
int of_kind (Kind kind) { return kind == Kind::One; }
int (*pointer (int x)) (int) { return x ? hidden : nullptr; }
int of_class (struct Base &base) { return (bool) base; }
class Base *class_returned () { return nullptr; }

class Defaulted
{
public:
  Defaulted ();
  Defaulted (const Defaulted &) = delete;
  Defaulted &operator= (const Defaulted &);
  virtual ~Defaulted () = default;
  int value = 0;
};
Defaulted::Defaulted () = default;
Defaulted &Defaulted::operator= (const Defaulted &) = default;

int
use ()
{
  Defaulted one, two;
  one = two;
  Hidden h;
  return anonymous (1) + h.in_class (2) + h.outside (3) + deep::in_deep (1) + hidden (1) + constant (brace_initialised);
}
