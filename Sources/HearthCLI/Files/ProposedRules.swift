import Libc
import LocalFiles
import LosslessJSON
import MergeCore
import RuleFile
import RuleProposals

/// Writes rules guessed from a save to a file, where a person can read and change them before they are used.
enum ProposedRules {
    enum Outcome {
        /// The path of the file.
        case written(String)
        /// Nothing in the save suggests a rule.
        case nothing
        /// The save cannot be read, or the file not be written. That is no error: the save was added in any case.
        case failed
    }

    /// Writes the proposal into the folder `proposed-rules` of the home; never over an existing file.
    static func write(for save: String, named name: String, into home: String) -> Outcome {
        guard let document = try? JSONInput.read(save).document else { return .failed }
        let proposal = RuleProposal(for: document, profile: name)
        guard !proposal.guesses.isEmpty else { return .nothing }
        let folder = home + "/proposed-rules"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return .failed }
        for attempt in 0..<100 {
            let path = folder + "/" + fileName(name) + (attempt == 0 ? "" : "-\(attempt)") + ".yaml"
            guard access(path, F_OK) != 0 else { continue }
            return (try? AtomicFile.write(Array(proposal.yaml.utf8), to: path)) == nil ? .failed : .written(path)
        }
        return .failed
    }

    /// The profile's name as a file name: its words of ASCII letters and digits, joined by `-`, at most 64 characters;
    /// `save` where it has none.
    private static func fileName(_ name: String) -> String {
        let words = name.unicodeScalars.split { scalar in
            !scalar.isASCII || !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        }
        return words.isEmpty ? "save" : String(words.map { String($0) }.joined(separator: "-").prefix(64))
    }
}
