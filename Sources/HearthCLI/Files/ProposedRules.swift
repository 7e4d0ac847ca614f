import Libc
import LocalFiles
import LosslessJSON
import MergeCore
import RuleFile
import RuleProposals

/// Rules guessed from a save, written where a person can read and change them before they count.
enum ProposedRules {
    /// Writes the proposal for a save into the installation's folder; never over a file that is there.
    ///
    /// - Returns: Where it is; `nil` where the save says nothing that a rule would change, or nothing could be written.
    ///   A proposal is a help: without it, adding the save went as well.
    static func write(for save: String, named name: String, into home: String) -> String? {
        guard let document = try? JSONInput.read(save).document else { return nil }
        let proposal = RuleProposal(for: document, profile: name)
        guard !proposal.guesses.isEmpty else { return nil }
        let folder = home + "/proposed-rules"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return nil }
        for attempt in 0..<100 {
            let path = folder + "/" + fileName(name) + (attempt == 0 ? "" : "-\(attempt)") + ".yaml"
            guard access(path, F_OK) != 0 else { continue }
            return (try? AtomicFile.write(Array(proposal.yaml.utf8), to: path)) == nil ? nil : path
        }
        return nil
    }

    /// A name that no folder and no shell reads otherwise.
    private static func fileName(_ name: String) -> String {
        let plain = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "-"
        }
        return plain.isEmpty ? "save" : String(plain.prefix(64))
    }
}
