struct __attribute__((visibility("default"))) Oops {
    int n;
};

extern "C" {
void library_call(void (*function)(), int depth);
void library_throw(int depth);
void library_catch(void (*function)());
}
