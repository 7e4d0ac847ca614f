import LosslessJSON
import MergeCore
import Testing

/// Parses text that the test itself wrote.
func document(_ text: String) -> JSONDocument {
    do {
        return try JSONDocument(parsing: Array(text.utf8))
    } catch {
        Issue.record("\(text) is no JSON: \(error)")
        return try! JSONDocument(parsing: [0x30])  // "0" parses
    }
}

func document(_ value: JSONValue) -> JSONDocument { document(String(decoding: value.jsonBytes, as: UTF8.self)) }

func json(_ text: String) -> JSONValue {
    let document = document(text)
    return document.value(document.root)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func rules(_ list: KeyValuePairs<String, MergeRule>) -> RuleSet {
    do {
        return try RuleSet(list.map { RuleSet.Entry(try RulePattern(parsing: $0.key), $0.value) })
    } catch {
        Issue.record("the rules of a test are wrong: \(error)")
        return .empty
    }
}

func replica(_ number: Int) -> ReplicaID { ReplicaID(high: UInt64(number), low: UInt64(number)) }

func dot(_ number: Int, _ sequence: UInt64) -> Dot { Dot(replica: replica(number), sequence: sequence) }

func vector(_ entries: [Int: UInt64]) -> VersionVector {
    VersionVector(
        Dictionary(
            uniqueKeysWithValues: entries.map { (replica($0.key), VersionVector.Entry(sequence: $0.value, history: 0)) }
        ))
}

extension JSONValue {
    /// Numbers in their own spelling: equal only where the text is.
    var spelled: String { String(decoding: jsonBytes, as: UTF8.self) }

    /// Follows member names.
    subscript(at names: String...) -> JSONValue? {
        names.reduce(self as JSONValue?) { $0?[JSONString($1)] }
    }

    /// With a member set, added or (nil) removed.
    func setting(_ name: JSONString, to value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        let index = members.firstIndex { $0.key == name }
        switch (index, value) {
        case (let index?, let value?): members[index].value = value
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(JSONMember(key: name, value: value))
        case (nil, nil): break
        }
        return .object(members)
    }
}
