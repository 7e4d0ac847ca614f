import MergeCore
import ProfileKeeping

/// Where each of many saves goes in a folder.
///
/// A save's file is called as on the device that added it, so that its game finds it. Where two saves would get one name,
/// each gets it in a folder of its own, which is called like the save. Both names come from other devices, and so become
/// plain names first (``FileName``).
enum RestorePlan {
    struct Save {
        let id: ProfileID
        let name: String
        /// The name of the save's file on the device that added it, as that device says: any text.
        let sharedFileName: String?
    }

    /// The path of each save's file, in the order of the saves; no two are one, whatever tells names apart on the disk.
    ///
    /// - Parameter isTaken: Whether a path is that of another save's file on this device.
    static func paths(
        of saves: [Save], in folder: String, isTaken: (_ path: String, _ save: ProfileID) -> Bool
    ) -> [String] {
        let names = saves.map(fileName)
        let counts = Dictionary(names.map { ($0.folded, 1) }, uniquingKeysWith: +)
        let own = zip(saves, names).map { save, name in
            counts[name.folded] == 1 && !isTaken("\(folder)/\(name.text)", save.id) ? nil : ownFolder(of: save)
        }
        // A folder has a name that no file and no other folder has.
        let folders = Dictionary(own.compactMap { $0 }.map { ($0.folded, 1) }, uniquingKeysWith: +)
        return zip(saves, zip(names, own)).map { save, place in
            guard let own = place.1 else { return "\(folder)/\(place.0.text)" }
            let isAlone = folders[own.folded] == 1 && counts[own.folded] == nil
            return "\(folder)/\(isAlone ? own.text : "\(own.text)-\(save.id)")/\(place.0.text)"
        }
    }

    private static func fileName(of save: Save) -> FileName {
        save.sharedFileName.flatMap { FileName($0) }
            ?? FileName(save.name, end: ".json", else: "save-\(save.id.description.prefix(8))")
    }

    private static func ownFolder(of save: Save) -> FileName {
        FileName(save.name, else: "save-\(save.id.description.prefix(8))")
    }
}
