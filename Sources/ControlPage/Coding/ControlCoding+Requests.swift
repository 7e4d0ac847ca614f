package import HouseholdAgent
import LosslessJSON
import MergeCore

extension ControlCoding {
    /// Writes a request as one JSON object without a line end.
    package static func bytes(_ request: AgentRequest) -> [UInt8] {
        json(request).jsonBytes
    }

    /// Reads a request.
    ///
    /// - Throws: for anything but one JSON object of at most ``requestLimit`` bytes that holds what the request needs
    ///   and nothing else.
    package static func request(_ bytes: [UInt8]) throws(ControlCodingError) -> AgentRequest {
        var reader = try MemberReader(
            value(bytes, limit: requestLimit, what: "The request"),
            what: "the request"
        )
        reader.allowsNUL = false
        return try request(reader, named: reader.requiredText("request"))
    }

    private static func json(_ request: AgentRequest) -> JSONValue {
        switch request {
        case .add(let path, let name, let rules):
            object([("request", "add"), ("path", text(path)), ("name", text(name)), ("rules", rules?.json)])
        case .restore(let profile, let path):
            object([("request", "restore"), ("profile", text(profile)), ("path", text(path))])
        case .remove(let profile): object([("request", "remove"), ("profile", text(profile))])
        case .pair: object([("request", "pair")])
        case .join(let code, let address):
            object([("request", "join"), ("code", text(code)), ("address", address.map { text($0.description) })])
        case .unpair(let device): object([("request", "unpair"), ("device", text(device))])
        case .sync(let profile): object([("request", "sync"), ("profile", profile.map(text))])
        case .status: object([("request", "status")])
        case .devices: object([("request", "devices")])
        case .show(let profile, let pointer):
            object([("request", "show"), ("profile", text(profile)), ("pointer", pointer.map(text))])
        case .reset(let profile, let scope):
            object([("request", "reset"), ("profile", text(profile)), ("scope", scope.map(text))])
        case .explain(let profile, let pointer):
            object([("request", "explain"), ("profile", text(profile)), ("pointer", text(pointer))])
        case .backups(let profile): object([("request", "backups"), ("profile", text(profile))])
        case .restoreBackup(let profile, let backup):
            object([("request", "restoreBackup"), ("profile", text(profile)), ("backup", text(backup))])
        case .conflicts(let profile): object([("request", "conflicts"), ("profile", profile.map(text))])
        case .resolve(let profile, let pointer, let choice):
            object([
                ("request", "resolve"), ("profile", text(profile)), ("pointer", text(pointer)),
                ("choice", .number(JSONNumber(choice))),
            ])
        }
    }

    private static func request(
        _ untitled: MemberReader,
        named name: String
    ) throws(ControlCodingError) -> AgentRequest {
        var reader = untitled
        reader.what = "the request \"\(name.prefix(100))\""
        func allow(_ keys: Set<JSONString>) throws(ControlCodingError) { try reader.allow(keys.union(["request"])) }
        switch name {
        case "add":
            try allow(["path", "name", "rules"])
            return .add(path: try reader.path("path"), name: try reader.requiredText("name"), rules: try rules(reader))
        case "restore":
            try allow(["profile", "path"])
            return .restore(profile: try reader.requiredText("profile"), path: try reader.path("path"))
        case "remove":
            try allow(["profile"])
            return .remove(profile: try reader.requiredText("profile"))
        case "pair":
            try allow([])
            return .pair
        case "join":
            try allow(["code", "address"])
            return .join(code: try reader.requiredText("code"), address: try address(reader))
        case "unpair":
            try allow(["device"])
            return .unpair(device: try reader.requiredText("device"))
        case "sync":
            try allow(["profile"])
            return .sync(profile: try reader.text("profile"))
        case "status":
            try allow([])
            return .status
        case "devices":
            try allow([])
            return .devices
        case "show":
            try allow(["profile", "pointer"])
            return .show(profile: try reader.requiredText("profile"), pointer: try reader.text("pointer"))
        case "reset":
            try allow(["profile", "scope"])
            return .reset(profile: try reader.requiredText("profile"), scope: try reader.text("scope"))
        case "explain":
            try allow(["profile", "pointer"])
            return .explain(profile: try reader.requiredText("profile"), pointer: try reader.text("pointer") ?? "")
        case "backups":
            try allow(["profile"])
            return .backups(profile: try reader.requiredText("profile"))
        case "restoreBackup":
            try allow(["profile", "backup"])
            return .restoreBackup(
                profile: try reader.requiredText("profile"), backup: try reader.requiredText("backup"))
        case "conflicts":
            try allow(["profile"])
            return .conflicts(profile: try reader.text("profile"))
        case "resolve":
            try allow(["profile", "pointer", "choice"])
            return .resolve(
                profile: try reader.requiredText("profile"), pointer: try reader.text("pointer") ?? "",
                choice: Int(clamping: try reader.integer("choice")))
        default: throw ControlCodingError("The agent knows no request \"\(name.prefix(100))\".")
        }
    }

    private static func rules(_ reader: MemberReader) throws(ControlCodingError) -> RuleSet? {
        guard let value = reader.value("rules") else { return nil }
        do throws(RuleError) {
            return try RuleSet(json: value)
        } catch {
            throw reader.wrong("rules", "cannot be used: \(error)")
        }
    }

    private static func address(_ reader: MemberReader) throws(ControlCodingError) -> PeerAddress? {
        guard let text = try reader.text("address") else { return nil }
        guard let address = PeerAddress(parsing: text) else {
            throw reader.wrong("address", "is no \"host:port\" or \"[IPv6 address]:port\"")
        }
        return address
    }
}
