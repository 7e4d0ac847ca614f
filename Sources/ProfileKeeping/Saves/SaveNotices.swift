import LosslessJSON
import MergeCore

/// The remarks and the questions about the saves of one profile that the player has not answered. They are kept in the
/// record, so that they survive a restart.
package struct SaveNotices: Hashable, Sendable {
    /// The subject of a remark.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Hearth guessed which state the game had read.
        case guessed
        /// The save lowered places that their rule keeps.
        case lowered
        /// The save held values that their rule cannot read, and the former ones were put back.
        case notRead
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
        /// What the remark is about, such as a place of the save. A newer remark of the same kind about the same
        /// subject replaces it.
        package let subject: String
        /// The words about the subject; ``Remark/sentence(_:)`` joins those of one kind.
        package let words: String
    }

    /// The most remarks of one kind that are kept. If there are more, the oldest is dropped.
    static var limit: Int { 100 }

    /// The question about a save that was set aside.
    package internal(set) var setAside: SaveQuestion?
    /// The question about amounts of a purse.
    package internal(set) var purse: SaveQuestion?
    /// The remarks in the order in which they were made.
    package private(set) var remarks: [Remark] = []

    /// Whether the game's last save was asked about and not accepted, so that the file does not show the game's save.
    /// The player does not see this; it is used when the next save is measured.
    package internal(set) var isLastSaveSetAside = false

    /// Whether the game's last save holds values that were set aside with an earlier save, because its game had gone on
    /// from that one. The profile has none of these values, so the file must not show them.
    package internal(set) var lastSaveHoldsSetAside = false

    package init() {}

    package var isEmpty: Bool { question == nil && remarks.isEmpty }

    /// The question that is to be answered first: the one about the newer save.
    package var question: SaveQuestion? { setAside?.isOvertaken == false ? setAside : purse ?? setAside }

    /// The question whose turn comes when ``question`` is answered; `nil` if there is no other one.
    package var nextQuestion: SaveQuestion? {
        guard let setAside, let purse else { return nil }
        return setAside.isOvertaken ? setAside : purse
    }

    /// Takes over the notices about the last save of a profile whose file comes along.
    mutating func takeOver(_ other: SaveNotices) {
        for remark in other.remarks { say(remark.kind, about: remark.subject, remark.words) }
        setAside = setAside ?? other.setAside
        purse = purse ?? other.purse
        (isLastSaveSetAside, lastSaveHoldsSetAside) = (other.isLastSaveSetAside, other.lastSaveHoldsSetAside)
    }

    /// The notices after an answer: without the question and the remarks. Whether the last save holds what was set
    /// aside stays known, because an answer does not change what the game has in memory.
    ///
    /// - Parameter isAccepted: Whether the answer lets the last save count as it is.
    func settled(isAccepted: Bool) -> SaveNotices {
        var rest = SaveNotices()
        rest.lastSaveHoldsSetAside = lastSaveHoldsSetAside && !isAccepted
        return rest
    }

    /// Adds a remark, in place of an older one about the same subject.
    mutating func say(_ kind: Kind, about subject: String = "", _ words: String) {
        remarks.removeAll { $0.kind == kind && $0.subject == subject }
        remarks.append(Remark(kind: kind, subject: subject, words: words))
        guard remarks.count(where: { $0.kind == kind }) > Self.limit else { return }
        remarks.remove(at: remarks.firstIndex { $0.kind == kind }!)
    }

    /// The remarks for the player, one sentence for each kind, without full stops.
    package var sentences: [String] {
        var kinds: [Kind] = []
        for remark in remarks where !kinds.contains(remark.kind) { kinds.append(remark.kind) }
        return kinds.map { kind in Remark.sentence(remarks.filter { $0.kind == kind }) }
    }

    // MARK: Stored form

    /// `{"remarks":[[kind, subject, words]…],"question":{…},"purse":{…},"setAside":true,"holdsSetAside":true}` as JSON
    /// text; `nil` where there is nothing to keep.
    var encoded: [UInt8]? {
        guard !isEmpty || isLastSaveSetAside || lastSaveHoldsSetAside else { return nil }
        var members = [
            JSONMember(
                key: "remarks",
                value: .array(
                    remarks.map { .array([.text($0.kind.rawValue), .text($0.subject), .text($0.words)]) }))
        ]
        if let setAside { members.append(JSONMember(key: "question", value: setAside.json)) }
        if let purse { members.append(JSONMember(key: "purse", value: purse.json)) }
        if isLastSaveSetAside { members.append(JSONMember(key: "setAside", value: .bool(true))) }
        if lastSaveHoldsSetAside { members.append(JSONMember(key: "holdsSetAside", value: .bool(true))) }
        return JSONValue.object(members).jsonBytes
    }

    /// Reads the stored form. Parts that cannot be read (a damaged record, or one of a newer version) are left out, and
    /// a remark says so, because a question may have been among them.
    init(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), case .object(let members) = value else {
            say(.unread, Self.unread)
            return
        }
        if case .array(let list)? = value["remarks"] {
            for item in list {
                guard case .array(let parts) = item, parts.count == 3, let kind = parts[0].text.flatMap(Kind.init),
                    let subject = parts[1].text, let words = parts[2].text
                else {
                    say(.unread, Self.unread)
                    continue
                }
                say(kind, about: subject, words)
            }
        }
        let questions = ["question", "purse"].compactMap { value[$0].flatMap { SaveQuestion(json: $0) } }
        for question in questions {
            switch question.reason {
            case .heldLess: setAside = question
            case .purse: purse = question
            }
        }
        isLastSaveSetAside = value["setAside"] == .bool(true)
        lastSaveHoldsSetAside = value["holdsSetAside"] == .bool(true)
        let known = 1 + questions.count + (isLastSaveSetAside ? 1 : 0) + (lastSaveHoldsSetAside ? 1 : 0)
        let isWhole =
            members.count == (value["remarks"] == nil ? known - 1 : known)
            && questions.count == (setAside == nil ? 0 : 1) + (purse == nil ? 0 : 1)
        if !isWhole || isEmpty && !isLastSaveSetAside && !lastSaveHoldsSetAside { say(.unread, Self.unread) }
    }

    private static let unread =
        "what was asked or said about its last saves cannot be read any more; the saves are "
        + "among the backups of this device"
}

extension SaveNotices.Remark {
    /// One sentence for remarks of one kind. It names ``SaveQuestion/shown`` of them and says how many more there are.
    fileprivate static func sentence(_ remarks: [Self]) -> String {
        let more = remarks.count - SaveQuestion.shown
        let words = remarks.prefix(SaveQuestion.shown).map(\.words)
        switch remarks[0].kind {
        case .guessed:
            let saves = remarks.count > 1 ? "some of its last saves" : "its last save"
            return "which state the game had read before \(saves) was \(words.joined(separator: "; "))"
        case .lowered:
            return "the game lowered \(words.joined(separator: ", "))\(more > 0 ? ", and \(more) more" : "")"
                + "; if it means that, give the place another rule"
        case .overridden:
            let others = remarks.count > 1 ? " and \(remarks.count - 1) more" : ""
            return "progress made apart from a reset or restore was put aside (\(words[0])\(others)); "
                + "it is in the backups"
        case .notRead:
            let places = words.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            return "the rule of \(places) does not take what the game wrote there, and keeps what was there; "
                + "if the game means it, give the place another rule"
        case .startedOver, .quarantined, .unread:
            return words.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
        }
    }
}

extension SaveQuestion {
    fileprivate var json: JSONValue {
        var members: [JSONMember] = [
            JSONMember(key: "time", value: .number(JSONNumber(text: String(time.milliseconds))!)),
            JSONMember(
                key: "stands",
                value: .object(
                    vector.sortedReplicas.map {
                        JSONMember(
                            key: JSONString($0.hex),
                            value: .number(JSONNumber(text: String(vector.sequence(of: $0)))!))
                    })),
            JSONMember(key: "lowered", value: .array(lowered.map { .text($0) })),
        ]
        if let backup { members.append(JSONMember(key: "backup", value: .text(backup))) }
        if !earlierBackups.isEmpty {
            members.append(JSONMember(key: "earlier", value: .array(earlierBackups.map { .text($0) })))
        }
        if !choices.isEmpty {
            let list = choices.map { JSONValue.array([$0.path.noted, $0.read] + ($0.saved.map { [$0] } ?? [])) }
            members.append(JSONMember(key: "choices", value: .array(list)))
        }
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
            vector: VersionVector(entries), words: words)
        isOvertaken = json["overtaken"] == .bool(true)
        if case .array(let list)? = json["earlier"] { earlierBackups = list.compactMap(\.text) }
        if case .array(let list)? = json["choices"] {
            for case .array(let parts) in list {
                guard (2...3).contains(parts.count), let path = DocumentPath(noted: parts[0]) else { continue }
                choices.append(Choice(path: path, read: parts[1], saved: parts.count == 3 ? parts[2] : nil))
            }
        }
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
