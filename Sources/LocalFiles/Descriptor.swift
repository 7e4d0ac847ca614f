package import Libc

/// An open file that is closed when it goes out of scope.
///
/// All calls on files whose content or whose name has to be durable are made here, so that each of them is right in one
/// place: it goes on after a signal (EINTR) and after a part (a short read or write), and reports the code of an error.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Opens a path.
    package init(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(FileFault) {
        var number: Int32
        repeat { number = open(path, flags | O_CLOEXEC, mode) } while number < 0 && errno == EINTR
        guard number >= 0 else { throw FileFault(.open, code: errno) }
        self.number = number
    }

    /// Opens a path; `nil` if there is nothing.
    package init?(existing path: String, _ flags: Int32) throws(FileFault) {
        do throws(FileFault) {
            try self.init(path, flags)
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    deinit { _ = Libc.close(number) }

    /// Closes the file, for a caller that needs to know of an error: a file system on another machine may report only
    /// then that there is no room.
    package consuming func close() throws(FileFault) {
        let code = Libc.close(number) == 0 ? 0 : errno
        discard self
        // The file is closed after a signal as well.
        guard code == 0 || code == EINTR else { throw FileFault(.close, code: code) }
    }

    /// The file's size, mode, owner and times.
    package func status() throws(FileFault) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileFault(.status, code: errno) }
        return status
    }

    // MARK: Reading

    /// Reads to the end, but never more than `limit` bytes. Returns `nil` if there are more.
    package func readAll(expecting size: Int, limit: Int) throws(FileFault) -> [UInt8]? {
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
            guard count >= 0 else { throw FileFault(.read, code: code) }
            guard count > 0 else { return bytes }
            bytes = start == 0 ? part : bytes + part
            guard bytes.count <= limit else { return nil }
            room = min(limit - bytes.count + 1, 64 << 10)
        }
    }

    /// Reads `size` bytes from an offset on; fewer where the file ends before.
    package func readStart(_ size: Int, from offset: Int = 0) throws(FileFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var done = 0
        while done < size {
            let (count, code) = bytes.withUnsafeMutableBytes { buffer in
                (pread(number, buffer.baseAddress! + done, size - done, off_t(offset + done)), errno)
            }
            if count < 0, code == EINTR { continue }
            guard count >= 0 else { throw FileFault(.read, code: code) }
            if count == 0 { break }
            done += count
        }
        bytes.removeLast(size - done)
        return bytes
    }

    // MARK: Writing

    /// Writes every byte.
    package func writeAll(_ bytes: [UInt8]) throws(FileFault) {
        var done = 0
        while done < bytes.count {
            let (count, code) = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                return (write(number, rest.baseAddress, rest.count), errno)
            }
            if count < 0, code == EINTR { continue }
            // A file that accepts none of the bytes, without an error, would make this loop endless.
            guard count != 0 else { throw FileFault(.write, code: EIO) }
            guard count > 0 else { throw FileFault(.write, code: code) }
            done += count
        }
    }

    /// Sets the twelve bits of chmod(2), whatever the umask is.
    package func setMode(_ mode: mode_t) throws(FileFault) {
        guard fchmod(number, mode) == 0 else { throw FileFault(.setMode, code: errno) }
    }

    /// Makes the file's content and status durable; for a folder, the names in it.
    package func sync() throws(FileFault) {
        #if canImport(Darwin)
            // On macOS fsync alone leaves the bytes in the drive's cache.
            if fcntl(number, F_FULLFSYNC) == 0 { return }
        #endif
        var result: Int32
        repeat { result = fsync(number) } while result != 0 && errno == EINTR
        guard result == 0 else { throw FileFault(.sync, code: errno) }
    }

    /// Makes the names in this folder durable. Some network file systems cannot sync folders and report that; this is
    /// no error.
    package func syncNames() throws(FileFault) {
        do throws(FileFault) {
            try sync()
        } catch  where error.code == EINVAL || error.code == ENOTSUP {
            return
        } catch {
            throw FileFault(.syncFolder, code: error.code)
        }
    }
}
