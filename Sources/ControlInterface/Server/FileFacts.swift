#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is at a path, a symbolic link not followed.
///
/// Foundation is asked because beside NIO's C modules Swift takes the members of `struct stat` for those of a module
/// that nobody can import.
struct FileFacts {
    enum Kind { case folder, socket, link, other }

    var kind: Kind
    /// The owner's user id.
    var owner: UInt?
    /// The twelve bits of chmod(2).
    var mode: UInt

    /// Nil where there is nothing, or nothing can be learnt.
    init?(_ path: String) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        kind =
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory: .folder
            case .typeSocket: .socket
            case .typeSymbolicLink: .link
            default: .other
            }
        owner = attributes[.ownerAccountID] as? UInt
        // What is not known counts as open to all.
        mode = attributes[.posixPermissions] as? UInt ?? 0o777
    }
}
