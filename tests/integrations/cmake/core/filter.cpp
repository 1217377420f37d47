#include "wave.h"

namespace dsp
{

template <typename T>
class Filter
{
public:
  T
  run (T value)
  {
    last = (last + value) / 2;
    return last;
  }

private:
  T last = 0;
};

template class Filter<int>;

}

extern "C" int
filter_run (int value)
{
  static dsp::Filter<int> filter;

  return filter.run (value);
}
