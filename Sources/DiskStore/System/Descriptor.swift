import Libc
import ProfileKeeping

/// An open file that is closed when it goes out of scope.
struct Descriptor: ~Copyable {
    let number: Int32

    init(owning number: Int32) { self.number = number }

    /// Opens a path; `nil` with `errno` set where that fails.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0) {
        var number: Int32
        repeat { number = open(path, flags | O_CLOEXEC, mode) } while number < 0 && errno == EINTR
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { _ = close(number) }

    /// The file's size, mode, owner and times; `nil` with `errno` set where that fails.
    func status() -> stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }

    /// Reads to the end, but never more than `limit` bytes. Returns `nil` where there is more.
    func readAll(expecting size: Int, limit: Int, path: String) throws(StorageFault) -> [UInt8]? {
        var bytes: [UInt8] = []
        var room = min(max(size, 0), limit) + 1
        while true {
            let start = bytes.count
            var count = 0
            var code: Int32 = 0
            let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                repeat { count = read(number, buffer.baseAddress, room) } while count < 0 && errno == EINTR
                code = errno
                filled = max(0, count)
            }
            guard count >= 0 else { throw StorageFault(code: code, "read", path) }
            guard count > 0 else { return bytes }
            bytes = start == 0 ? part : bytes + part
            guard bytes.count <= limit else { return nil }
            room = min(limit - bytes.count + 1, 64 << 10)
        }
    }

    /// Reads `size` bytes from an offset on; fewer where the file ends before.
    func readStart(_ size: Int, from offset: Int = 0, path: String) throws(StorageFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var done = 0
        while done < size {
            let (count, code) = bytes.withUnsafeMutableBytes { buffer in
                (pread(number, buffer.baseAddress! + done, size - done, off_t(offset + done)), errno)
            }
            if count < 0, code == EINTR { continue }
            guard count >= 0 else { throw StorageFault(code: code, "read", path) }
            if count == 0 { break }
            done += count
        }
        bytes.removeLast(size - done)
        return bytes
    }

    /// Writes every byte.
    func writeAll(_ bytes: [UInt8], path: String) throws(StorageFault) {
        var done = 0
        while done < bytes.count {
            let (count, code) = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return (write(number, rest.baseAddress, rest.count), errno)
            }
            if count < 0 {
                if code == EINTR { continue }
                throw StorageFault(code: code, "write", path)
            }
            done += count
        }
    }

    /// Makes the file's content and status durable.
    func sync(path: String) throws(StorageFault) {
        #if canImport(Darwin)
            // On macOS fsync alone leaves the bytes in the drive's cache.
            if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        var result: Int32
        repeat { result = fsync(number) } while result != 0 && errno == EINTR
        guard result != 0 else { return }
        throw StorageFault(code: errno, "make durable", path)
    }
}
