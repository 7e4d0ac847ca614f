import LosslessJSON
import MergeCore

/// The notices as the record keeps them.
extension SaveNotices {
    /// `{"remarks":[[kind, subject, words, backup?, places?]…],"question":{…},"purse":{…},"savedTwice":{…},"setAside":true,"setAsideBackups":[…],
    /// "holdsSetAside":true,"holdsEmptied":true}` as JSON text; `nil` where there is nothing to keep.
    var encoded: [UInt8]? {
        guard !isEmpty || isLastSaveSetAside || lastSaveHoldsSetAside else { return nil }
        var members = [
            JSONMember(
                key: "remarks",
                value: .array(
                    remarks.map { remark in
                        var parts: [JSONValue] = [
                            .text(remark.kind.rawValue), .text(remark.subject), .text(remark.words),
                        ]
                        if remark.backup != nil || remark.places != nil {
                            parts.append(remark.backup.map(JSONValue.text) ?? .null)
                        }
                        if let places = remark.places { parts.append(.text(places)) }
                        return .array(parts)
                    }))
        ]
        if let setAside { members.append(JSONMember(key: "question", value: setAside.json)) }
        if let purse { members.append(JSONMember(key: "purse", value: purse.json)) }
        if let savedTwice { members.append(JSONMember(key: "savedTwice", value: savedTwice.json)) }
        if isLastSaveSetAside { members.append(JSONMember(key: "setAside", value: .bool(true))) }
        if !setAsideBackups.isEmpty {
            members.append(JSONMember(key: "setAsideBackups", value: .array(setAsideBackups.map { .text($0) })))
        }
        if lastSaveHoldsSetAside { members.append(JSONMember(key: "holdsSetAside", value: .bool(true))) }
        if lastSaveHoldsEmptied { members.append(JSONMember(key: "holdsEmptied", value: .bool(true))) }
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
                guard case .array(let parts) = item, (3...5).contains(parts.count),
                    let kind = parts[0].text.flatMap(Kind.init),
                    let subject = parts[1].text, let words = parts[2].text
                else {
                    say(.unread, Self.unread)
                    continue
                }
                say(
                    kind, about: subject, words, places: parts.count > 4 ? parts[4].text : nil,
                    backup: parts.count > 3 ? parts[3].text : nil)
            }
        }
        let questions = ["question", "purse", "savedTwice"].compactMap { value[$0].flatMap { SaveQuestion(json: $0) } }
        for question in questions {
            switch question.reason {
            case .heldLess: setAside = question
            case .purse: purse = question
            case .savedTwice: savedTwice = question
            }
        }
        isLastSaveSetAside = value["setAside"] == .bool(true)
        lastSaveHoldsSetAside = value["holdsSetAside"] == .bool(true)
        lastSaveHoldsEmptied = lastSaveHoldsSetAside && value["holdsEmptied"] == .bool(true)
        if case .array(let names)? = value["setAsideBackups"] { setAsideBackups = names.compactMap(\.text) }
        let known =
            1 + questions.count + (isLastSaveSetAside ? 1 : 0) + (setAsideBackups.isEmpty ? 0 : 1)
            + (lastSaveHoldsSetAside ? 1 : 0) + (lastSaveHoldsEmptied ? 1 : 0)
        let isWhole =
            members.count == (value["remarks"] == nil ? known - 1 : known)
            && questions.count == self.questions.count
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
        if isFollowed { members.append(JSONMember(key: "followed", value: .bool(true))) }
        switch reason {
        case .heldLess(let doubt): members.append(JSONMember(key: "heldLess", value: .text(doubt.rawValue)))
        case .savedTwice(let amounts):
            members.append(JSONMember(key: "savedTwice", value: .array(amounts.map(\.json))))
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
        } else if case .array(let list)? = json["savedTwice"] {
            let amounts = list.compactMap(SavedTwice.init(json:))
            guard !amounts.isEmpty, amounts.count == list.count else { return nil }
            reason = .savedTwice(amounts)
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
        isFollowed = json["followed"] == .bool(true)
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

extension SavedTwice {
    /// `[place, value, [[replica, number]…], former value?]`: the writes, and what the place showed.
    fileprivate var json: JSONValue {
        let dots = writes.map { dot in
            JSONValue.array([.text(dot.replica.hex), .number(JSONNumber(text: String(dot.sequence))!)])
        }
        return .array([path.noted, new, .array(dots)] + (old.map { [$0] } ?? []))
    }

    fileprivate init?(json: JSONValue) {
        guard case .array(let parts) = json, (3...4).contains(parts.count), let path = DocumentPath(noted: parts[0]),
            case .array(let dots) = parts[2]
        else { return nil }
        let writes = dots.compactMap { dot -> Dot? in
            guard case .array(let parts) = dot, parts.count == 2, case .number(let number) = parts[1] else {
                return nil
            }
            guard let replica = parts[0].text.flatMap(ReplicaID.init(hex:)), let sequence = UInt64(number.text) else {
                return nil
            }
            return Dot(replica: replica, sequence: sequence)
        }
        guard writes.count == dots.count else { return nil }
        self.init(path: path, old: parts.count == 4 ? parts[3] : nil, new: parts[1], writes: writes)
    }
}

extension JSONValue {
    fileprivate static func text(_ text: String) -> JSONValue { .string(JSONString(text)) }

    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text.string
    }
}
