package import HouseholdAgent
import LosslessJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ControlCoding {
    /// Writes an answer as one JSON object on one line, without the line end.
    ///
    /// What cannot be written (a document that is too large, or no UTF-8) becomes a failure that says so.
    package static func bytes(_ reply: AgentReply) -> [UInt8] {
        do throws(ControlCodingError) {
            let bytes = try json(reply).jsonBytes
            guard bytes.count <= replyLimit else {
                throw ControlCodingError("The answer has \(bytes.count) bytes; the most is \(replyLimit).")
            }
            return bytes
        } catch {
            return failure(.failed, error.message).jsonBytes
        }
    }

    /// Reads an answer; members that this version does not know are passed over.
    ///
    /// - Throws: for anything but one JSON object of at most ``replyLimit`` bytes with an `event` this version knows.
    package static func reply(_ bytes: [UInt8]) throws(ControlCodingError) -> AgentReply {
        let value = try value(bytes, limit: replyLimit, what: "The agent's answer")
        var reader = try MemberReader(value, what: "the agent's answer")
        let event = try reader.requiredText("event")
        reader.what = "the agent's answer \"\(event.prefix(100))\""
        switch event {
        case "code": return .code(try reader.requiredText("code"), expires: try reader.integer("expires"))
        case "paired": return .paired(try report(reader, "device"))
        case "profile": return .profile(try report(reader, "profile"), note: try reader.text("note"))
        case "profiles": return .profiles(try report(reader, "profiles"))
        case "status": return .status(try report(value, in: reader))
        case "devices": return .devices(try report(reader, "devices"))
        case "synced": return .synced(try report(value, in: reader))
        case "playing": return .playing(try report(value, in: reader))
        case "played": return .played(try report(value, in: reader))
        case "attached": return .attached(try report(value, in: reader))
        case "news": return .news
        case "standing": return .standing(try report(value, in: reader))
        case "brought": return .brought(try report(value, in: reader))
        case "done": return .done
        case "removed": return .removed(try report(reader, "device"))
        case "forgotten": return .forgotten(try report(reader, "profile"))
        case "document":
            guard case .string(let text) = try reader.required("document") else {
                throw reader.wrong("document", "is no string")
            }
            return .document(text.bytes)
        case "explained": return .explained(try report(value, in: reader))
        case "conflicts": return .conflicts(try report(reader, "conflicts"))
        case "backups": return .backups(try report(reader, "backups"))
        case "exported":
            guard let data = Data(base64Encoded: try reader.requiredText("data")) else {
                throw reader.wrong("data", "is no base64")
            }
            return .exported([UInt8](data), try report(reader, "export"))
        case "imported": return .imported(try report(value, in: reader))
        case "history": return .history(try report(reader, "history"))
        case "preview": return .preview(try report(value, in: reader))
        case "summary": return .summary(try report(value, in: reader))
        case "migrated": return .migrated(try report(value, in: reader))
        case "error":
            let code = FailureCode(rawValue: Int(truncatingIfNeeded: try reader.integer("code"))) ?? .failed
            return .failure(code, try reader.requiredText("message"))
        default:
            throw ControlCodingError(
                "The agent answered \"\(event.prefix(100))\", which this version does not know; is the agent newer?"
            )
        }
    }

    private static func json(_ reply: AgentReply) throws(ControlCodingError) -> JSONValue {
        switch reply {
        case .code(let code, let expires):
            object([("event", "code"), ("code", text(code)), ("expires", .number(JSONNumber(Int(expires))))])
        case .paired(let device): object([("event", "paired"), ("device", try json(report: device))])
        case .profile(let profile, let note):
            object([("event", "profile"), ("profile", try json(report: profile)), ("note", note.map(text))])
        case .profiles(let profiles): object([("event", "profiles"), ("profiles", try json(report: profiles))])
        case .status(let status): try tagged("status", status)
        case .devices(let devices): object([("event", "devices"), ("devices", try json(report: devices))])
        case .synced(let report): try tagged("synced", report)
        case .playing(let report): try tagged("playing", report)
        case .played(let report): try tagged("played", report)
        case .attached(let report): try tagged("attached", report)
        case .news: object([("event", "news")])
        case .standing(let report): try tagged("standing", report)
        case .brought(let report): try tagged("brought", report)
        case .done: object([("event", "done")])
        case .removed(let device): object([("event", "removed"), ("device", try json(report: device))])
        case .forgotten(let profile): object([("event", "forgotten"), ("profile", try json(report: profile))])
        case .document(let bytes): object([("event", "document"), ("document", try document(bytes))])
        case .explained(let report): try tagged("explained", report)
        case .conflicts(let conflicts): object([("event", "conflicts"), ("conflicts", try json(report: conflicts))])
        case .backups(let backups): object([("event", "backups"), ("backups", try json(report: backups))])
        case .exported(let bytes, let report):
            object([
                ("event", "exported"), ("export", try json(report: report)),
                ("data", text(Data(bytes).base64EncodedString())),
            ])
        case .imported(let report): try tagged("imported", report)
        case .history(let steps): object([("event", "history"), ("history", try json(report: steps))])
        case .preview(let report): try tagged("preview", report)
        case .summary(let report): try tagged("summary", report)
        case .migrated(let summary): try tagged("migrated", summary)
        case .failure(let code, let message): failure(code, message)
        }
    }

    private static func failure(_ code: FailureCode, _ message: String) -> JSONValue {
        object([("event", "error"), ("code", .number(JSONNumber(code.rawValue))), ("message", text(message))])
    }

    private static func document(_ bytes: [UInt8]) throws(ControlCodingError) -> JSONValue {
        // Quoting adds to the length, so what is too long already need not be quoted first.
        guard bytes.count <= replyLimit else {
            throw ControlCodingError(
                "The document has \(bytes.count) bytes; the most that can be shown is \(replyLimit)."
            )
        }
        guard let text = JSONString(validating: bytes) else { throw ControlCodingError("The document is no UTF-8.") }
        return .string(text)
    }
}
