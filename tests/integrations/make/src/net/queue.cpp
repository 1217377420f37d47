#include <vector>

#include "frame.h"

namespace net
{

class Queue
{
public:
  unsigned push (unsigned size);
  unsigned drain ();

private:
  std::vector<unsigned> sizes;
};

__attribute__ ((noinline)) unsigned
Queue::push (unsigned size)
{
  sizes.push_back (size);
  return static_cast<unsigned> (sizes.size ());
}

__attribute__ ((noinline)) unsigned
Queue::drain ()
{
  unsigned sum = sum_all (sizes.data (), static_cast<unsigned> (sizes.size ()));

  sizes.clear ();
  return sum;
}

}

static net::Queue queue;

extern "C" unsigned
queue_push (const frame *item)
{
  return queue.push (frame_size (item));
}

extern "C" unsigned
queue_drain (void)
{
  return queue.drain ();
}
