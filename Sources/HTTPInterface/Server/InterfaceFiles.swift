import Libc
import LocalFiles

/// The two files in the home by which programs of this user find the interface: the port, and the token. They are there
/// while the server listens.
struct InterfaceFiles: Sendable {
    private let port: String
    private let token: String

    init(home: String) {
        port = home + "/page.port"
        token = home + "/page.token"
    }

    /// - Throws: ``BoundedFile/Fault`` where one cannot be written.
    func write(port number: Int, token secret: Secret) throws(BoundedFile.Fault) {
        try AtomicFile.write(Array("\(secret.text)\n".utf8), to: token, isPrivate: true)
        try AtomicFile.write(Array("\(number)\n".utf8), to: port, isPrivate: true)
    }

    func remove() {
        unlink(port)
        unlink(token)
    }
}
