import Glibc

/// The work nobody can leave out between a save on one machine and the save on another: the file made durable where it
/// was written, one message there and back, the file made durable where it arrives.
final class Floor {
    private let folder: String
    private let socket: Int32

    /// - Parameter folder: On the same disk as the agents' files.
    init(folder: String) throws {
        self.folder = folder
        try Files.makeFolder(folder)
        try Files.makeFolder(folder + "/a")
        try Files.makeFolder(folder + "/b")
        let listener = try Sockets.listen()
        let port = Sockets.port(of: listener)
        startThread {
            guard let peer = try? Sockets.accept(listener) else { return }
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = recv(peer, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                // All but the last byte is the message; the answer is short.
                if buffer[count - 1] == UInt8(ascii: "\n") { _ = send(peer, buffer, 40, 0) }
            }
            close(peer)
        }
        socket = try Sockets.connect(port: port)
    }

    deinit { close(socket) }

    /// Does it once; returns seconds.
    func run(_ bytes: [UInt8], message: Int) throws -> Double {
        let start = seconds()
        try Files.write(bytes, to: folder + "/a/new", sync: true)
        try Files.rename(folder + "/a/new", to: folder + "/a/save.json")
        var data = [UInt8](repeating: 65, count: message)
        data[message - 1] = UInt8(ascii: "\n")
        guard send(socket, data, data.count, 0) == data.count, recv(socket, &data, data.count, 0) > 0 else {
            throw Trouble(call: "send to", "the floor's peer")
        }
        try Files.write(bytes, to: folder + "/b/new", sync: true)
        try Files.rename(folder + "/b/new", to: folder + "/b/save.json")
        try Files.sync(folder: folder + "/b")
        return seconds() - start
    }
}
