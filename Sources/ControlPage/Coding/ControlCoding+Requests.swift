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
        case .restore(let profile, let path, let apart):
            object([
                ("request", "restore"), ("profile", text(profile)), ("path", text(path)),
                ("apart", apart ? .bool(true) : nil),
            ])
        case .remove(let profile): object([("request", "remove"), ("profile", text(profile))])
        case .move(let profile, let path):
            object([("request", "move"), ("profile", text(profile)), ("path", text(path))])
        case .forget(let profile): object([("request", "forget"), ("profile", text(profile))])
        case .pair: object([("request", "pair")])
        case .join(let code, let address):
            object([("request", "join"), ("code", text(code)), ("address", address.map { text($0.description) })])
        case .unpair(let device): object([("request", "unpair"), ("device", text(device))])
        case .sync(let profile): object([("request", "sync"), ("profile", profile.map(text))])
        case .pause(let profile): object([("request", "pause"), ("profile", profile.map(text))])
        case .resume(let profile): object([("request", "resume"), ("profile", profile.map(text))])
        case .play(let profile, let game, let since, let mark):
            object([
                ("request", "play"), ("profile", text(profile)), ("game", text(game)),
                ("since", since.map { .number(JSONNumber(Int($0))) }),
                ("token", mark.map { text($0.token) }),
                ("process", mark.map { .number(JSONNumber(Int($0.client))) }),
                ("processStart", mark.map { .number(JSONNumber(Int($0.clientStart))) }),
            ])
        case .endPlay(let play):
            object([("request", "endPlay"), ("play", .number(JSONNumber(Int(truncatingIfNeeded: play.rawValue))))])
        case .attach(let attaching):
            object([
                ("request", "attach"), ("path", text(attaching.path)),
                ("id", attaching.id.map { text($0.description) }),
                ("name", text(attaching.name)), ("game", text(attaching.game)), ("rules", attaching.rules.json),
                ("changesRules", .bool(attaching.changesRules)), ("twin", text(attaching.twin.rawValue)),
                ("beganEmpty", attaching.beganEmpty ? .bool(true) : nil),
            ])
        case .bring(let attachment, let hurry):
            object([("request", "bring"), ("attachment", number(attachment)), ("hurry", .bool(hurry))])
        case .taken(let attachment): object([("request", "taken"), ("attachment", number(attachment))])
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
        case .migrate(let profile, let version, let backup, let dryRun):
            object([
                ("request", "migrate"), ("profile", text(profile)), ("to", version.map(text)),
                ("backup", backup.map(text)), ("dryRun", dryRun ? .bool(true) : JSONValue?.none),
            ])
        case .conflicts(let profile): object([("request", "conflicts"), ("profile", profile.map(text))])
        case .resolve(let profile, let pointer, let choice):
            object([
                ("request", "resolve"), ("profile", text(profile)), ("pointer", text(pointer)),
                ("choice", .number(JSONNumber(choice))),
            ])
        case .export(let profile, let bare):
            object([("request", "export"), ("profile", text(profile)), ("bare", .bool(bare))])
        case .importTransfer(let path, let target, let trusting, let dryRun):
            object([
                ("request", "importTransfer"), ("path", text(path)), ("to", target.map(text)),
                ("trusting", .bool(trusting)), ("dryRun", .bool(dryRun)),
            ])
        case .importDocument(let path, let profile, let dryRun):
            object([
                ("request", "importDocument"), ("path", text(path)), ("profile", text(profile)),
                ("dryRun", .bool(dryRun)),
            ])
        case .pinBackup(let profile, let backup, let isPinned):
            object([
                ("request", "pinBackup"), ("profile", text(profile)), ("backup", text(backup)),
                ("pinned", .bool(isPinned)),
            ])
        case .history(let profile, let pointer, let limit):
            object([
                ("request", "history"), ("profile", text(profile)), ("pointer", pointer.map(text)),
                ("limit", .number(JSONNumber(limit))),
            ])
        case .undo(let profile, let step, let force):
            object([
                ("request", "undo"), ("profile", text(profile)), ("step", step.map { .number(JSONNumber($0)) }),
                ("force", .bool(force)),
            ])
        case .accept(let profile, let apart):
            object([("request", "accept"), ("profile", text(profile)), ("apart", .bool(apart))])
        case .keep(let profile): object([("request", "keep"), ("profile", text(profile))])
        case .preview(let request): object([("request", "preview"), ("of", json(request))])
        case .summary(let profile): object([("request", "summary"), ("profile", text(profile))])
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
            try allow(["profile", "path", "apart"])
            return .restore(
                profile: try reader.requiredText("profile"), path: try reader.path("path"),
                apart: try reader.truth("apart"))
        case "remove":
            try allow(["profile"])
            return .remove(profile: try reader.requiredText("profile"))
        case "move":
            try allow(["profile", "path"])
            return .move(profile: try reader.requiredText("profile"), path: try reader.path("path"))
        case "forget":
            try allow(["profile"])
            return .forget(profile: try reader.requiredText("profile"))
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
        case "pause":
            try allow(["profile"])
            return .pause(profile: try reader.text("profile"))
        case "resume":
            try allow(["profile"])
            return .resume(profile: try reader.text("profile"))
        case "play":
            try allow(["profile", "game", "since", "token", "process", "processStart"])
            let since = reader.value("since") == nil ? nil : try reader.integer("since")
            return .play(
                profile: try reader.requiredText("profile"), game: try reader.requiredText("game"), since: since,
                mark: try mark(reader))
        case "endPlay":
            try allow(["play"])
            return .endPlay(RequestID(rawValue: UInt64(bitPattern: try reader.integer("play"))))
        case "attach":
            try allow(["path", "id", "name", "game", "rules", "changesRules", "twin", "beganEmpty"])
            return .attach(try attaching(reader))
        case "bring":
            try allow(["attachment", "hurry"])
            return .bring(
                RequestID(rawValue: UInt64(bitPattern: try reader.integer("attachment"))),
                hurry: try reader.truth("hurry"))
        case "taken":
            try allow(["attachment"])
            return .taken(RequestID(rawValue: UInt64(bitPattern: try reader.integer("attachment"))))
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
        case "migrate":
            try allow(["profile", "to", "backup", "dryRun"])
            return .migrate(
                profile: try reader.requiredText("profile"),
                to: try reader.text("to"),
                backup: try reader.text("backup"),
                dryRun: try reader.truth("dryRun"))
        case "conflicts":
            try allow(["profile"])
            return .conflicts(profile: try reader.text("profile"))
        case "resolve":
            try allow(["profile", "pointer", "choice"])
            return .resolve(
                profile: try reader.requiredText("profile"), pointer: try reader.text("pointer") ?? "",
                choice: Int(clamping: try reader.integer("choice")))
        case "export":
            try allow(["profile", "bare"])
            return .export(profile: try reader.requiredText("profile"), bare: try reader.truth("bare"))
        case "importTransfer":
            try allow(["path", "to", "trusting", "dryRun"])
            return .importTransfer(
                path: try reader.path("path"), to: try reader.value("to") == nil ? nil : reader.path("to"),
                trusting: try reader.truth("trusting"), dryRun: try reader.truth("dryRun"))
        case "importDocument":
            try allow(["path", "profile", "dryRun"])
            return .importDocument(
                path: try reader.path("path"), profile: try reader.requiredText("profile"),
                dryRun: try reader.truth("dryRun"))
        case "pinBackup":
            try allow(["profile", "backup", "pinned"])
            return .pinBackup(
                profile: try reader.requiredText("profile"), backup: try reader.requiredText("backup"),
                isPinned: try reader.truth("pinned"))
        case "history":
            try allow(["profile", "pointer", "limit"])
            return .history(
                profile: try reader.requiredText("profile"), pointer: try reader.text("pointer"),
                limit: Int(clamping: try reader.integer("limit")))
        case "undo":
            try allow(["profile", "step", "force"])
            return .undo(
                profile: try reader.requiredText("profile"),
                step: reader.value("step") == nil ? nil : Int(clamping: try reader.integer("step")),
                force: try reader.truth("force"))
        case "accept":
            try allow(["profile", "apart"])
            return .accept(profile: try reader.requiredText("profile"), apart: try reader.truth("apart"))
        case "keep":
            try allow(["profile"])
            return .keep(profile: try reader.requiredText("profile"))
        case "preview":
            try allow(["of"])
            return .preview(try previewed(try reader.required("of")))
        case "summary":
            try allow(["profile"])
            return .summary(profile: try reader.requiredText("profile"))
        default: throw ControlCodingError("The agent knows no request \"\(name.prefix(100))\".")
        }
    }

    private static func number(_ id: RequestID) -> JSONValue {
        .number(JSONNumber(Int(truncatingIfNeeded: id.rawValue)))
    }

    private static func attaching(_ reader: MemberReader) throws(ControlCodingError) -> Attaching {
        guard let rules = try rules(reader) else { throw reader.wrong("rules", "is missing") }
        guard let twin = Attaching.Twin(rawValue: try reader.text("twin") ?? "ask") else {
            throw reader.wrong("twin", "is none of ask, join and apart")
        }
        let id = try reader.text("id").map { ProfileID(hex: $0) }
        if case .some(nil) = id { throw reader.wrong("id", "is no UUID") }
        return Attaching(
            path: try reader.path("path"), id: id ?? nil, name: try reader.requiredText("name"),
            game: try reader.requiredText("game"), rules: rules,
            changesRules: try reader.truth("changesRules"), twin: twin, beganEmpty: try reader.truth("beganEmpty"))
    }

    /// The request that a preview is of; a preview of a preview is none, so nothing nests.
    private static func previewed(_ value: JSONValue) throws(ControlCodingError) -> AgentRequest {
        var reader = try MemberReader(value, what: "the request \"preview\"")
        reader.allowsNUL = false
        let name = try reader.requiredText("request")
        guard ["reset", "restore", "restoreBackup", "undo", "accept"].contains(name) else {
            throw reader.wrong("request", "is no act that can be looked at beforehand")
        }
        return try request(reader, named: name)
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

extension ControlCoding {
    /// By what the processes of a play are known, where it says so.
    private static func mark(_ reader: MemberReader) throws(ControlCodingError) -> PlayMark? {
        guard let token = try reader.text("token") else { return nil }
        let process = Int32(truncatingIfNeeded: try reader.integer("process"))
        guard let mark = PlayMark(token: token, client: process, clientStart: try reader.integer("processStart")) else {
            throw reader.wrong("token", "has other than 1 to \(PlayMark.tokenLimit) hexadecimal digits")
        }
        return mark
    }
}
