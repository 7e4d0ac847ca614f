public import LosslessJSON

/// The meaning of a save against the snapshot that its game had read: an edit, or a question that a person has to
/// answer.
///
/// *Up* are the places in which the save gained what only play gives: grow-only gains, new members, elements and
/// unlocks, counters that rose and were never spent. *Down* are the grow-only places that lost; a removed element that
/// held some counts as one. In this order:
///
/// 1. Over half of the snapshot is gone or emptied: a question.
/// 2. No *down*: an edit.
/// 3. It equals a snapshot or a backup that is still held: an older copy was put back. A question.
/// 4. *Down* without *up*: an older or empty state. A question. Removed elements and members alone are no question: a
///    game may sell an object that holds a record.
/// 5. Not more up than down, or more removed than up: a question.
/// 6. Two or more grow-only places are lower, and they are over a third of all that hold something; or over two thirds
///    of the values in the snapshot have changed: another game, such as the save of another slot. A question.
/// 7. Else the save was played. Everything counts; a lowered place keeps its former value if its rule says so, and is
///    named.
public struct SaveMeaning: Hashable, Sendable {
    /// The reason why a save is a question.
    public enum Doubt: String, Hashable, Sendable, CaseIterable {
        /// Over half of the snapshot is gone or emptied.
        case mostlyGone = "mostly gone"
        /// The save goes on from one that lacked over half, and that was set aside. A game that found nothing writes nothing
        /// first, and then what it begins with. No comparison of two saves tells that; whoever keeps the profile does.
        case afterEmpty = "after empty"
        /// The save is what the file held at an earlier time.
        case olderCopy = "older copy"
        /// The save goes on from what a reset, a restore or an undo took back, or its game came to the same again. Whoever
        /// keeps the profile tells that.
        case takenBack = "taken back"
        /// Grow-only places were lowered, and nothing was gained.
        case onlyLost = "only lost"
        /// So many places are lower or different that the save looks like that of another game.
        case otherGame = "other game"
        /// More was lowered or removed than gained.
        case lostMore = "lost more"
    }

    /// A grow-only place where the save holds less than its rule keeps.
    public struct Lowered: Hashable, Sendable {
        /// The place that holds less.
        public let path: DocumentPath
        /// The rule that keeps it.
        public let rule: MergeRule
        /// The value that is kept; `nil` for elements of a set.
        public let kept: JSONValue?
        /// The value that the save holds; `nil` for nothing.
        public let saved: JSONValue?

        /// For people: `/best from 90 to 80`, or `/seen` for elements of a set.
        public var words: String {
            guard kept != nil else { return "\(path)" }
            return "\(path) from \(Self.text(kept)) to \(Self.text(saved))"
        }

        private static func text(_ value: JSONValue?) -> String {
            value.map { String(String(decoding: $0.jsonBytes, as: UTF8.self).prefix(40)) } ?? "nothing"
        }
    }

    /// Why the save is a question; `nil` where all of it counts.
    public let doubt: Doubt?
    /// The grow-only places that lost, in order.
    public let lowered: [Lowered]

    /// Whether a person has to say what the save means.
    public var isQuestion: Bool { doubt != nil }

    /// Decides what a save means.
    ///
    /// - Parameters:
    ///   - diff: The difference from the snapshot to the save.
    ///   - snapshot: What the game had read.
    ///   - rules: The rules in force.
    ///   - wasSpent: Whether anything was ever spent of the counter at a place.
    ///   - isOlderCopy: Whether the save equals, at all synced places, an earlier snapshot or backup. Called only if
    ///     something was lost.
    /// - Complexity: O(changes) if nothing was lost, else O(snapshot), and the cost of `isOlderCopy`.
    public init(
        _ diff: DocumentDiff, of snapshot: JSONDocument, rules: RuleSet, wasSpent: (DocumentPath) -> Bool,
        isOlderCopy: () -> Bool = { false }
    ) {
        let losses = SaveLosses(diff, of: snapshot, rules)
        lowered = losses.lowered
        if diff.isMostlyLoss(of: snapshot, rules: rules) {
            doubt = .mostlyGone
        } else if losses.down == 0 {
            doubt = nil
        } else if isOlderCopy() {
            doubt = .olderCopy
        } else if losses.lowered.isEmpty {
            // Only whole members and elements are gone. That is an edit, whatever rules apply inside them.
            doubt = nil
        } else {
            let up = SaveGains(diff, beside: snapshot, rules, wasSpent: wasSpent).count
            if up == 0 {
                doubt = .onlyLost
            } else if up <= losses.down || losses.removed > up {
                doubt = .lostMore
            } else {
                doubt = losses.lowered.count > 1 && losses.isOfAnotherGame(diff, snapshot, rules) ? .otherGame : nil
            }
        }
    }
}
