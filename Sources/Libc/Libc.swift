// The platform's C library under one name, so that no other file has to choose. `@_exported` has no official spelling
// yet; it is how packages such as swift-nio pass a C library on.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif
