// What the packages' program has in place of a part of Swift's static libraries that it does not need. Packaging/make compiles
// this, and tells the linker which.

// The watch of libdispatch over its threads: none. Every second, for good, it looks which of them sleep in a call, to start
// more; Swift's tasks never block a thread of that pool, so as many as there are processors are enough, as on macOS.
void __wrap__dispatch_workq_worker_register(void *queue) { (void)queue; }
void __wrap__dispatch_workq_worker_unregister(void *queue) { (void)queue; }
