#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which folder this is, whatever it is called: a copy of it is another one.
enum FolderIdentity {
    /// Disk and number of a folder; `nil` where there is none, or the system does not say.
    static func of(_ path: String) -> String? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let disk = found[.systemNumber], let number = found[.systemFileNumber]
        else { return nil }
        return "\(disk):\(number)"
    }
}
