import Glibc
import Synchronization

/// Stands between two agents and counts what they tell each other, by the headers of TLS records: an application data
/// record of TLS 1.3 holds its length less 17 bytes (type and authentication tag, RFC 8446, 5.2) of what the agents
/// wrote, exactly.
final class Relay: Sendable {
    /// What has passed so far.
    struct Count: Equatable {
        /// What the agents wrote, both directions.
        var application = 0
        /// The same with TLS: 22 bytes more a record.
        var withTLS = 0
        var records = 0

        static func - (a: Count, b: Count) -> Count {
            Count(
                application: a.application - b.application, withTLS: a.withTLS - b.withTLS,
                records: a.records - b.records)
        }
    }

    let port: UInt16
    private let total = Mutex(Count())

    /// - Parameter target: The port of the agent that is dialled.
    init(to target: UInt16) throws {
        let listener = try Sockets.listen()
        port = Sockets.port(of: listener)
        startThread { [self] in
            while let near = try? Sockets.accept(listener) {
                guard let far = try? Sockets.connect(port: target) else {
                    close(near)
                    continue
                }
                startThread { self.pass(from: near, to: far) }
                startThread { self.pass(from: far, to: near) }
            }
        }
    }

    var count: Count { total.withLock { $0 } }

    /// Waits until nothing has passed for a while.
    func waitForQuiet(_ quiet: Double = 0.06) {
        var last = count
        var since = seconds()
        while seconds() - since < quiet {
            usleep(5_000)
            let now = count
            if now != last { (last, since) = (now, seconds()) }
        }
    }

    private func pass(from source: Int32, to sink: Int32) {
        var meter = RecordMeter()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let read = recv(source, &buffer, buffer.count, 0)
            guard read > 0 else { break }
            let passed = meter.take(buffer[..<read])
            total.withLock {
                $0.application += passed.application
                $0.withTLS += passed.withTLS
                $0.records += passed.records
            }
            var sent = 0
            while sent < read {
                let next = buffer.withUnsafeBytes {
                    send(sink, $0.baseAddress! + sent, read - sent, Int32(MSG_NOSIGNAL))
                }
                guard next > 0 else { break }
                sent += next
            }
            guard sent == read else { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(sink, Int32(SHUT_RDWR))
    }
}

/// Finds the records in one direction of a TLS connection.
struct RecordMeter {
    private var header: [UInt8] = []
    /// Bytes of the current record's body still to come.
    private var rest = 0

    mutating func take(_ bytes: ArraySlice<UInt8>) -> Relay.Count {
        var count = Relay.Count()
        var bytes = bytes
        while !bytes.isEmpty {
            if rest > 0 {
                let next = min(rest, bytes.count)
                bytes = bytes.dropFirst(next)
                rest -= next
                continue
            }
            header.append(bytes.removeFirst())
            guard header.count == 5 else { continue }
            rest = Int(header[3]) << 8 | Int(header[4])
            count.records += 1
            count.withTLS += 5 + rest
            if header[0] == 23 { count.application += max(0, rest - 17) }
            header = []
        }
        return count
    }
}
