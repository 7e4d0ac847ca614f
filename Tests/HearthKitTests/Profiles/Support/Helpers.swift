import HearthKit
import LosslessJSON
import MergeCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

func document(_ text: String) throws -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// Reads the profile of a save.
func read<Subject: Profile>(_ type: Subject.Type, _ save: String) throws -> Subject {
    try ProfileCodec<Subject>().snapshot(document(save)).profile
}

/// The text of the save after the game changed its profile.
func edit<Subject: Profile>(_ type: Subject.Type, _ save: String, _ change: (inout Subject) -> Void) throws -> String {
    let snapshot = try ProfileCodec<Subject>().snapshot(document(save))
    var profile = snapshot.profile
    change(&profile)
    return text(try snapshot.edited(profile).text)
}

/// The text of a new save.
func fresh(_ profile: some Profile) throws -> String {
    func codec<Subject: Profile>(_ profile: Subject) throws -> String {
        text(try ProfileCodec<Subject>().newText(profile))
    }
    return try codec(profile)
}

/// The error message of the body.
func refusal(_ body: () throws -> Void) -> String {
    do {
        try body()
        return "nothing was refused"
    } catch {
        return "\(error)"
    }
}

/// The error message when a profile of this type is opened.
func refusal<Subject: Profile>(of type: Subject.Type) -> String { refusal { _ = try ProfileCodec<Subject>() } }

/// The rule of a type at this path.
func rule(_ path: String, of type: any Profile.Type) throws -> MergeRule {
    try #require(try type.fields.first { $0.path == path }, "\(type) has no \(path)").rule
}

/// A date of 2026.
func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: 789_000_000 + seconds) }

/// A profile with no field.
struct Empty: ProfilePart, Equatable {}

extension JSONValue {
    /// The numbers as the text spells them.
    var spelled: String { String(decoding: jsonBytes, as: UTF8.self) }
}
