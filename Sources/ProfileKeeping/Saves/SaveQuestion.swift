package import LosslessJSON
package import MergeCore

/// A question about a save whose meaning only the player can tell. Until there is an answer, the household's document
/// stays in the file, and the save is among the backups.
package struct SaveQuestion: Hashable, Sendable {
    /// The reason for the question.
    package enum Reason: Hashable, Sendable {
        /// The save holds less than before, and only the player knows whether that was meant.
        case heldLess(SaveMeaning.Doubt)
        /// A purse: counter amounts for which it is not known what was earned or spent. Everything else in the save
        /// counts already.
        case purse([OpenAmount])
        /// Another device saved exactly the same, apart. Both count, though the file may have been carried over by hand.
        case savedTwice([SavedTwice])
    }

    /// A choice that a save changed beside open amounts. It stays open until it is known what its game had read.
    package struct Choice: Hashable, Sendable {
        package let path: DocumentPath
        /// The value that the newer snapshot showed.
        package let read: JSONValue
        /// The value in the save; `nil` where the save left it out.
        package let saved: JSONValue?
    }

    package let reason: Reason
    /// The time when the save was taken up.
    package let time: WallTime
    /// The backup that holds the save, kept while the question is open; `nil` where none could be made.
    package var backup: String?
    /// The writes that the save contains. An answer counts if nothing was reset since.
    package let vector: VersionVector
    /// Whether the game went on from the content of the file instead, and has saved since. Then the save cannot be
    /// accepted any more; it is a backup that can be put back.
    package var isOvertaken = false
    /// Whether the game has saved since, and was guessed to have gone on from the content of the file. Then the last save
    /// is another one, which counts, and which can still be accepted as it is.
    package var isFollowed = false
    /// Backups of saves that were set aside before this one, the oldest first. They are kept as well, because this save
    /// does not hold everything in them.
    package var earlierBackups: [String] = []
    /// The choices that the save changed beside open amounts.
    package var choices: [Choice] = []
    /// The lowered values in words for people, or those that may have been played again: `/best from 90 to 80`. At most
    /// ``SaveQuestion/shown`` of them.
    package let lowered: [String]

    /// Most places that a question names.
    package static var shown: Int { 5 }
    /// Most backups of earlier saves that a question keeps.
    static var keptBackups: Int { 5 }

    /// The backups that stay while the question is open, the oldest first.
    package var backups: [String] { earlierBackups + (backup.map { [$0] } ?? []) }

    package init(
        _ reason: Reason, time: WallTime, backup: String? = nil, vector: VersionVector, lowered: [SaveMeaning.Lowered]
    ) {
        self.reason = reason
        self.time = time
        self.backup = backup
        self.vector = vector
        self.lowered = lowered.prefix(Self.shown).map(\.words)
    }

    /// The question about a save that goes on from what was taken back, or has come to the same again.
    ///
    /// - Parameter places: What the save holds beyond what the file showed.
    init(_ places: [LeafChange], time: WallTime, vector: VersionVector) {
        let words = places.prefix(Self.shown).map { place in
            guard case .value(let old?, let new?) = place.change else { return "\(place.path)" }
            return "\(place.path) from \(Self.text(old)) to \(Self.text(new))"
        }
        self.init(reason: .heldLess(.takenBack), time: time, backup: nil, vector: vector, words: words)
    }

    init(reason: Reason, time: WallTime, backup: String?, vector: VersionVector, words: [String]) {
        (self.reason, self.time, self.backup, self.vector, lowered) = (reason, time, backup, vector, words)
    }

    /// Notes that the game went on from the content of the file.
    ///
    /// - Parameter isKnown: Whether that is known, or else guessed.
    mutating func goneOn(isKnown: Bool) {
        if isKnown { isOvertaken = true } else { isFollowed = true }
    }

    /// The question in words, with both answers. Each answer is a command that works when it is pasted.
    ///
    /// - Parameter name: The profile as a word of a command, quoted if necessary.
    package func sentence(_ name: String) -> String {
        switch reason {
        case .heldLess(let doubt):
            let places = lowered.isEmpty ? "" : " (\(lowered.joined(separator: ", ")))"
            let former = backup.map { "hearth restore \(name) --backup \($0)" } ?? "hearth backups \(name)"
            if doubt == .takenBack, isOvertaken || isFollowed {
                let last = "To let the game's last save stand for everything instead: hearth accept \(name)\n"
                return "an earlier save \(doubt.words)\(places), and nobody could tell which; the game has gone on "
                    + "since from what you had. What it was before is among the backups: hearth backups \(name)\n"
                    + (isOvertaken ? "" : last)
                    + "If nothing of it is wanted, settle it with: hearth keep \(name)" + earlierWords(name)
            }
            if isOvertaken {
                return "an earlier save \(doubt.words)\(places); it was set aside, and the game has gone on since from "
                    + "what you had. To put that save back on every machine all the same: \(former)\n"
                    + "If it is not wanted, settle it with: hearth keep \(name)" + earlierWords(name)
            }
            if isFollowed {
                return "an earlier save \(doubt.words)\(places); it was set aside, and the game seems to have gone on "
                    + "since from what you had. To put that save back on every machine all the same: \(former)\n"
                    + "To let the game's last save stand for everything instead: hearth accept \(name)\n"
                    + "If neither is wanted, settle it with: hearth keep \(name)" + earlierWords(name)
            }
            if doubt == .takenBack {
                return "a save \(doubt.words)\(places); nobody can tell which. If it was played since, let the last "
                    + "save count with: hearth accept \(name)\n"
                    + "If not, settle it with: hearth keep \(name)" + earlierWords(name)
            }
            return "the last save \(doubt.words)\(places); it is set aside, and the file shows what you had, "
                + "with what the save adds. "
                + "If the save was meant, let it count with: hearth accept \(name)\n"
                + "If not, settle it with: hearth keep \(name)" + earlierWords(name)
        case .purse(let amounts):
            let places = amounts.prefix(Self.shown).map { open in
                "\(open.path) (\(open.ifRead.signed) or \(open.ifUnread.signed))"
            }.joined(separator: ", ")
            return
                "nobody can tell whether the game had read what other machines earned before its last save: \(places). "
                + "Had it read that, say: hearth accept \(name)\n"
                + "Had it not: hearth accept \(name) --apart\n"
                + "To count neither: hearth keep \(name)"
        case .savedTwice(let amounts):
            let places = amounts.prefix(Self.shown).map { amount in
                let old = amount.old.map(Self.text) ?? "nothing"
                return "\(amount.path) from \(old) to \(Self.text(amount.new))"
            }.joined(separator: ", ")
            let more = amounts.count > Self.shown ? " and \(amounts.count - Self.shown) more" : ""
            return "this machine and another one have each saved exactly the same (\(places)\(more)), and both count "
                + "by now. If the file was carried from one to the other by hand, let it count once: hearth accept \(name)\n"
                + "If both were played, leave it as it is: hearth keep \(name)"
        }
    }
}

extension SaveQuestion {
    /// A value in words for people, cut where it is long.
    private static func text(_ value: JSONValue) -> String {
        String(String(decoding: value.jsonBytes, as: UTF8.self).prefix(40))
    }

    /// A line for each save that was set aside before, with the way back to it; empty where there is none.
    private func earlierWords(_ name: String) -> String {
        earlierBackups.map { "\nA save before it was set aside, too: hearth restore \(name) --backup \($0)" }.joined()
    }
}

extension SaveMeaning.Doubt {
    fileprivate var words: String {
        switch self {
        case .mostlyGone: "lacks over half of what there was"
        case .afterEmpty: "goes on from a save that lacked over half of what there was"
        case .olderCopy: "is what the file held at an earlier time"
        case .takenBack: "goes on from what a reset, a restore or an undo took back, or has come to the same again"
        case .onlyLost: "holds less than before and nothing new"
        case .lostMore: "lost as much as it gained"
        case .otherGame: "differs as much as the save of another game"
        }
    }
}

extension ExactDecimal {
    fileprivate var signed: String { isNegative || isZero ? text : "+" + text }
}
