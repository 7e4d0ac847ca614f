import LosslessJSON
import MergeCore

/// The remarks and the question about the saves of one profile that the player has not settled. They are kept in the
/// record, so that a restart forgets nothing.
package struct SaveNotices: Hashable, Sendable {
    /// The subject of a remark. A newer remark replaces the former one of its kind.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Hearth guessed which state the game had read.
        case guessed
        /// The save lowered places that their rule keeps.
        case lowered
        /// Progress that was made concurrently with a reset or a restore is hidden by it.
        case overridden
        /// The game started over.
        case startedOver
        /// A file that is no save was quarantined.
        case quarantined
        /// The stored remarks and questions cannot be read.
        case unread
    }

    /// One remark.
    package struct Remark: Hashable, Sendable {
        package let kind: Kind
        /// One sentence without a full stop.
        package let sentence: String
    }

    package internal(set) var question: SaveQuestion?
    /// The remarks in the order in which they were made.
    package private(set) var remarks: [Remark] = []

    /// Whether the game's last save was asked about and not accepted, so that the file does not hold what the game
    /// wrote. The player is not told of this; it counts when the next save is measured.
    package internal(set) var isLastSaveSetAside = false

    /// Whether the game's last save holds what was set aside with a save before it: its game had gone on from that one.
    /// Nothing of it is in the profile, so the file must not show it.
    package internal(set) var lastSaveHoldsSetAside = false

    package init() {}

    package var isEmpty: Bool { question == nil && remarks.isEmpty }

    /// Takes over what is known and said of the last save of a profile whose file comes along.
    mutating func takeOver(_ other: SaveNotices) {
        for remark in other.remarks { say(remark.kind, remark.sentence) }
        question = question ?? other.question
        (isLastSaveSetAside, lastSaveHoldsSetAside) = (other.isLastSaveSetAside, other.lastSaveHoldsSetAside)
    }

    /// The notices after an answer: without the question and the remarks. Whether the last save holds what was set aside
    /// stays known, because an answer does not change what the game has in memory.
    ///
    /// - Parameter isAccepted: Whether the answer lets the last save count as it is.
    func settled(isAccepted: Bool) -> SaveNotices {
        var rest = SaveNotices()
        rest.lastSaveHoldsSetAside = lastSaveHoldsSetAside && !isAccepted
        return rest
    }

    mutating func say(_ kind: Kind, _ sentence: String) {
        remarks.removeAll { $0.kind == kind }
        remarks.append(Remark(kind: kind, sentence: sentence))
    }

    // MARK: Stored form

    /// `{"remarks":[[kind, sentence]…],"question":{…},"setAside":true,"holdsSetAside":true}` as JSON text; `nil` where
    /// there is nothing to keep.
    var encoded: [UInt8]? {
        guard !isEmpty || isLastSaveSetAside || lastSaveHoldsSetAside else { return nil }
        var members = [
            JSONMember(
                key: "remarks",
                value: .array(remarks.map { .array([.text($0.kind.rawValue), .text($0.sentence)]) }))
        ]
        if let question { members.append(JSONMember(key: "question", value: question.json)) }
        if isLastSaveSetAside { members.append(JSONMember(key: "setAside", value: .bool(true))) }
        if lastSaveHoldsSetAside { members.append(JSONMember(key: "holdsSetAside", value: .bool(true))) }
        return JSONValue.object(members).jsonBytes
    }

    /// Reads the stored form. What cannot be read (a damaged record, or one of a newer version) is left out, and a
    /// remark says so, since a question may have been among it.
    init(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), case .object(let members) = value else {
            say(.unread, Self.unread)
            return
        }
        if case .array(let list)? = value["remarks"] {
            for case .array(let pair) in list {
                guard pair.count == 2, let kind = pair[0].text.flatMap(Kind.init(rawValue:)), let text = pair[1].text
                else {
                    say(.unread, Self.unread)
                    continue
                }
                say(kind, text)
            }
        }
        question = value["question"].flatMap { SaveQuestion(json: $0) }
        isLastSaveSetAside = value["setAside"] == .bool(true)
        lastSaveHoldsSetAside = value["holdsSetAside"] == .bool(true)
        let isWhole = members.allSatisfy { member in
            member.key == "remarks" || member.key == "question" && question != nil
                || member.key == "setAside" && isLastSaveSetAside
                || member.key == "holdsSetAside" && lastSaveHoldsSetAside
        }
        if !isWhole || isEmpty && !isLastSaveSetAside && !lastSaveHoldsSetAside { say(.unread, Self.unread) }
    }

    private static let unread =
        "what was asked or said about its last saves cannot be read any more; the saves are "
        + "among the backups of this device"
}

extension SaveQuestion {
    fileprivate var json: JSONValue {
        var members: [JSONMember] = [
            JSONMember(key: "time", value: .number(JSONNumber(text: String(time.milliseconds))!)),
            JSONMember(
                key: "stands",
                value: .object(
                    stands.sortedReplicas.map {
                        JSONMember(
                            key: JSONString($0.hex),
                            value: .number(JSONNumber(text: String(stands.sequence(of: $0)))!))
                    })),
            JSONMember(key: "lowered", value: .array(lowered.map { .text($0) })),
        ]
        if let backup { members.append(JSONMember(key: "backup", value: .text(backup))) }
        if !choices.isEmpty { members.append(JSONMember(key: "choices", value: .array(choices.map(\.noted)))) }
        if isOvertaken { members.append(JSONMember(key: "overtaken", value: .bool(true))) }
        switch reason {
        case .heldLess(let doubt): members.append(JSONMember(key: "heldLess", value: .text(doubt.rawValue)))
        case .purse(let amounts):
            members.append(
                JSONMember(
                    key: "purse",
                    value: .array(
                        amounts.map { open in
                            .array([
                                open.path.noted, .text(open.ifRead.text),
                                .text(open.ifUnread.text), .bool(open.rule.reading == .number),
                            ])
                        })))
        }
        return .object(members)
    }

    fileprivate init?(json: JSONValue) {
        guard case .number(let time)? = json["time"], let time = Int64(time.text),
            case .object(let stands)? = json["stands"]
        else { return nil }
        let reason: Reason
        if let doubt = json["heldLess"]?.text.flatMap(SaveMeaning.Doubt.init(rawValue:)) {
            reason = .heldLess(doubt)
        } else if case .array(let list)? = json["purse"] {
            let amounts = list.compactMap(OpenAmount.init(json:))
            // Half a question would count half of a save, so it is not read.
            guard !amounts.isEmpty, amounts.count == list.count else { return nil }
            reason = .purse(amounts)
        } else {
            return nil
        }
        var entries: [ReplicaID: VersionVector.Entry] = [:]
        for member in stands {
            guard let replica = ReplicaID(hex: member.key.string), case .number(let number) = member.value,
                let sequence = UInt64(number.text)
            else { return nil }
            entries[replica] = VersionVector.Entry(sequence: sequence, history: 0)
        }
        var words: [String] = []
        if case .array(let list)? = json["lowered"] { words = list.compactMap(\.text) }
        self.init(
            reason: reason, time: WallTime(milliseconds: time), backup: json["backup"]?.text,
            stands: VersionVector(entries), words: words)
        isOvertaken = json["overtaken"] == .bool(true)
        if case .array(let list)? = json["choices"] { choices = list.compactMap(DocumentPath.init(noted:)) }
    }
}

extension DocumentPath {
    fileprivate var noted: JSONValue { .text(String(decoding: encoded, as: UTF8.self)) }

    fileprivate init?(noted: JSONValue) {
        guard let text = noted.text else { return nil }
        self.init(encoded: Array(text.utf8))
    }
}

extension OpenAmount {
    fileprivate init?(json: JSONValue) {
        guard case .array(let parts) = json, parts.count == 4, let path = DocumentPath(noted: parts[0]),
            let read = parts[1].text.flatMap(ExactDecimal.init(text:)),
            let unread = parts[2].text.flatMap(ExactDecimal.init(text:))
        else { return nil }
        self.init(
            path: path,
            rule: MergeRule(.counter, as: parts[3] == .bool(true) ? .number : nil), ifRead: read, ifUnread: unread)
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String) -> JSONValue { .string(JSONString(text)) }

    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text.string
    }
}
