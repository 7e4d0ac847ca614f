import Libc
import SaveOracle
import TestSupport

/// Three agents as processes of their own, on the loopback interface, with a made-up game on every machine.
final class LiveHousehold {
    let devices: [LiveDevice]
    let game: Field
    let rules: RuleTable
    let isLine: Bool
    let layout: JSON.Layout
    private let folder = TemporaryFolder()

    init(isLine: Bool, dice: inout Dice) throws {
        self.isLine = isLine
        game = Field.save(&dice)
        var rules = RuleTable(game.rules(at: Pattern([])))
        // Some games have a field in which they say that they start over. Dice of its own: all else is the same for the
        // same seed.
        var aside = dice
        if aside.once(in: 4) { rules.resetAt = "reset" }
        self.rules = rules
        layout = dice.pick(JSON.Layout.allCases)
        let folder = folder.path
        // The line and the mesh run at the same time.
        let ports: Range<UInt16> = isLine ? 10_000..<15_000 : 15_000..<20_000
        devices = try ["laptop", "hub", "deck"].map { name in
            LiveDevice(name, in: folder, port: Int(try FreePort.find(in: ports)))
        }
        for (index, device) in devices.enumerated() {
            device.peers = devices.indices.filter { areLinked($0, index) }.map { devices[$0].address }
        }
        for device in devices { try device.launch() }
        for device in devices { try device.waitUntilReady() }
        for (one, two) in zip(devices, devices.dropFirst()) { try pair(one, two) }
        Disk.replace(devices[0].save, with: Array(game.save(&dice).text(layout).utf8))
        Disk.write("profile: game\n" + rules.yaml, folder + "/rules.yaml")
        try devices[0].tell("add", devices[0].save, "--rules", folder + "/rules.yaml", "--yes", "--json")
        for device in devices.dropFirst() {
            let isThere = try waitFor(seconds: 20) {
                try device.ask("restore", "game", "--to", device.save, "--yes", "--json").code == 0 ? true : nil
            }
            guard isThere == true else { throw Failure("the save did not reach \(device.name)") }
        }
    }

    deinit {
        for device in devices { device.kill() }
    }

    /// Whether two machines have a way to each other.
    func areLinked(_ one: Int, _ two: Int) -> Bool { one != two && (!isLine || abs(one - two) == 1) }

    private func pair(_ one: LiveDevice, _ two: LiveDevice) throws {
        let shown = try one.begin(["pair", "--json"])
        let code = waitFor(seconds: 10) { () -> String? in
            Disk.text(shown.output).split(separator: "\n").first.flatMap { JSON(String($0))?["code"]?.string }
        }
        guard let code else { throw Failure("no code on \(one.name)") }
        try two.tell("pair", code, "--address", one.address, "--json")
        guard try one.end(shown).code == 0 else { throw Failure("\(one.name) and \(two.name) are not paired") }
    }

    // MARK: Files

    func text(_ device: Int) -> String? { Disk.read(devices[device].save).map { String(decoding: $0, as: UTF8.self) } }

    func file(_ device: Int) -> JSON? { text(device).flatMap { JSON($0) } }

    /// A document without what is its device's own.
    func synced(_ document: JSON?) -> JSON? {
        guard let members = document?.members else { return document }
        return .object(members.filter { rules.rule(at: Place.root.appending(.member($0.name))).merge != .local })
    }

    /// A document with what is a device's own there, as its file has it.
    func onDevice(_ device: Int, _ document: JSON?) -> JSON? {
        guard let members = file(device)?.members, document?.members != nil else { return document }
        var result = synced(document)
        for member in members
        where rules.rule(at: Place.root.appending(.member(member.name))).merge == .local {
            result = result?.setting(member.name, to: member.value)
        }
        return result
    }

    // MARK: What is said

    /// What a sync said on one machine.
    struct Words {
        var code: Int32
        var inStep: [String]
        var behind: [String]
        var filesBehind: [String]
        /// What waits for a person.
        var decisions: [String]
        /// What is wrong here.
        var troubles: [String]
        /// All that waits for a person, is wrong, or is left out here.
        var others: [String]

        init(_ outcome: LiveDevice.Outcome) {
            func list(_ name: String) -> [String] {
                (outcome.json?[name]?.elements ?? []).compactMap(\.string)
            }
            code = outcome.code
            (inStep, behind, filesBehind) = (list("inStep"), list("behind"), list("filesBehind"))
            (decisions, troubles) = (list("decisions"), list("troubles"))
            others = troubles + decisions + ["held", "paused"].flatMap(list)
            if outcome.json == nil { others.append("sync: \(outcome.errors)") }
        }
    }

    /// Syncs on every machine at once, until all is quiet; what was said in the end.
    ///
    /// The files are looked at when the last of the commands has ended: what it said has to be true by then.
    func settle() throws -> [Words] {
        var words: [Words] = []
        // A file that is gone may be about to come back: it is written again after a while.
        let isQuiet = try waitFor(seconds: 60) { () -> Bool? in
            // Everybody takes up what its game did; then everybody knows of the others.
            for _ in 0..<2 {
                let commands = try devices.map { try $0.begin(["sync", "--json"]) }
                words = try zip(devices, commands).map { Words(try $0.end($1)) }
            }
            guard devices.allSatisfy({ Disk.read($0.save) != nil }) else { return nil }
            let isSaid = words.allSatisfy { $0.behind.isEmpty && $0.filesBehind.isEmpty }
            return isSaid || words.contains { !$0.others.isEmpty } ? true : nil
        }
        guard isQuiet == true else { throw Failure("it never becomes quiet: \(words)") }
        return words
    }

    /// What a status said on one machine.
    struct Status {
        var code: Int32
        /// What waits for a person.
        var decisions: [String] = []
        /// Places that their rule cannot read.
        var unreadable: [String] = []
        /// All that is not "all is well".
        var remarks: [String] = []

        init(_ outcome: LiveDevice.Outcome) {
            code = outcome.code
            guard let status = outcome.json else {
                remarks = ["no status"]
                return
            }
            func texts(_ value: JSON?) -> [String] {
                (value?.elements ?? []).map { $0.string ?? $0.text() }
            }
            remarks = texts(status["troubles"])
            for profile in status["profiles"]?.elements ?? [] {
                if let state = profile["state"]?.string, state != "good" { remarks.append(state) }
                if case .bool(true)? = profile["pending"] { remarks.append("pending") }
                remarks += ["reason", "remark", "held", "backupTrouble"].compactMap { profile[$0]?.string }
                decisions += texts(profile["decisions"])
                unreadable += texts(profile["unreadable"])
            }
            remarks += decisions + unreadable
        }
    }

    func status(_ device: Int) throws -> Status { Status(try devices[device].ask("status", "--json")) }

    /// What a machine says that is not "all is well".
    func remarks(_ device: Int) throws -> [String] { try status(device).remarks }

    /// The choices that a machine lists as open.
    func openChoices(_ device: Int) throws -> [String] {
        let conflicts = try devices[device].ask("conflicts", "--json").json?["conflicts"]?.elements ?? []
        return conflicts.filter { $0["candidates"]?.elements?.isEmpty == false }.compactMap { $0["place"]?.string }
    }
}
