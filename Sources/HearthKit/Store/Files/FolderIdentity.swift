#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Identifies a folder whatever its path is. A copy of the folder has another identity.
enum FolderIdentity {
    /// The device and inode numbers of a folder; `nil` if it does not exist or the system does not report them.
    static func of(_ path: String) -> String? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let disk = found[.systemNumber], let number = found[.systemFileNumber]
        else { return nil }
        return "\(disk):\(number)"
    }
}
