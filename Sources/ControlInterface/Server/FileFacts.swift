#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is at a path; symbolic links are not followed.
///
/// Uses Foundation: next to NIO's C modules Swift attributes the members of `struct stat` to a module that cannot be
/// imported.
struct FileFacts {
    enum Kind { case folder, socket, link, other }

    var kind: Kind
    /// The user id of the owner.
    var owner: UInt?
    /// The twelve permission bits, as of chmod(2).
    var mode: UInt

    /// `nil` where nothing is there, or it cannot be looked at.
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
        // Unknown permissions count as open to all.
        mode = attributes[.posixPermissions] as? UInt ?? 0o777
    }
}
