/* A library with calls of its own: in its constructor, its destructor and when
 * called. */
static volatile unsigned sink;

__attribute__((noinline)) void plugin_loaded(void)
{
    sink++;
}

__attribute__((noinline)) void plugin_unloaded(void)
{
    sink++;
}

__attribute__((noinline)) void plugin_step(void)
{
    sink++;
}

void plugin_work(int calls)
{
    for (int i = 0; i < calls; i++)
        plugin_step();
}

__attribute__((constructor, no_instrument_function)) static void constructor(void)
{
    plugin_loaded();
#ifdef LOADED_CALLS
    for (int i = 0; i < LOADED_CALLS; i++)
        plugin_step();
#endif
}

__attribute__((destructor, no_instrument_function)) static void destructor(void)
{
    plugin_unloaded();
}
