import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Reads what is typed, as soon as it is typed.
final class Keyboard {
    private let source: any DispatchSourceRead

    /// - Parameter typed: Called with the bytes; with none when the terminal is gone.
    init(_ typed: @escaping @Sendable ([UInt8]) -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO)
        source.setEventHandler { [source] in
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { return }
            if count <= 0 { source.cancel() }
            typed(Array(bytes.prefix(max(0, count))))
        }
        source.resume()
    }

    deinit { source.cancel() }
}
