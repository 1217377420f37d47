/* Links the plugin: its constructor runs before the executable's, its destructor
 * after them. */
void plugin_work(int calls);

int main(void)
{
    plugin_work(3);
    return 0;
}
