import Libc
import LocalFiles
import LosslessJSON
import MergeCore
import RuleFile
import RuleProposals

/// Writes rules guessed from a save to a file, where a person can read and change them before they are used.
enum ProposedRules {
    /// Writes the proposal into the folder `proposed-rules` of the home; never over an existing file.
    ///
    /// - Returns: The path; `nil` where there is nothing to propose, or it cannot be written. That is no error: the
    ///   save was added in any case.
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

    /// The profile's name as a file name: everything but ASCII letters and digits becomes `-`, and it has at most 64
    /// characters.
    private static func fileName(_ name: String) -> String {
        let plain = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? Character(scalar) : "-"
        }
        return plain.isEmpty ? "save" : String(plain.prefix(64))
    }
}
