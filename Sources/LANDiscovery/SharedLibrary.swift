#if os(Linux)
    import Glibc

    /// A C library that is opened at run time, so that the program starts even where it is not installed.
    struct SharedLibrary {
        private let handle: UnsafeMutableRawPointer
        private let name: String

        /// Opens the library without making its symbols visible to other libraries. It is never closed, because it may
        /// have started threads. The error names `package`.
        init(_ name: String, package: String) throws(BackendError) {
            guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
                throw BackendError(
                    sentence: "the library \(name) is missing; install the package \(package)",
                    command: "sudo apt install \(package)")
            }
            self.handle = handle
            self.name = name
        }

        /// Looks up a function of the library. The type must be that of the header: it cannot be checked here.
        func function<Function>(_ symbol: String) throws(BackendError) -> Function {
            guard let address = dlsym(handle, symbol) else {
                throw BackendError(sentence: "the library \(name) has no \(symbol); install another version of it")
            }
            return unsafeBitCast(address, to: Function.self)
        }
    }
#endif
