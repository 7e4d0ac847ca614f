#if os(Linux)
    import Glibc

    /// A C library that is opened at run time, so that the program also starts where it is not installed.
    struct SharedLibrary {
        private let handle: UnsafeMutableRawPointer
        private let name: String

        /// Opens the library without showing its symbols to other libraries; it is never closed again, because it may
        /// have started threads. `package` is named in the error.
        init(_ name: String, package: String) throws(BackendError) {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
                throw BackendError(sentence: "the library \(name) is missing; install the package \(package)")
            }
            self.handle = handle
            self.name = name
        }

        /// A function of the library. The type must be the one of the header: nothing can check it here.
        func function<Function>(_ symbol: String) throws(BackendError) -> Function {
            guard let address = dlsym(handle, symbol) else {
                throw BackendError(sentence: "the library \(name) has no \(symbol); install another version of it")
            }
            return unsafeBitCast(address, to: Function.self)
        }
    }
#endif
