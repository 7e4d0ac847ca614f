import Libc

/// A folder of its own for one test, removed with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// - Parameter parent: The folder in which it is made.
    package init(in parent: String = "/tmp") {
        var template = Array("\(parent)/hearth-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            preconditionFailure("no folder can be made in \(parent): \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Disk.remove(path) }

    /// The path of a file in the folder.
    package subscript(_ name: String) -> String { path + "/" + name }
}
