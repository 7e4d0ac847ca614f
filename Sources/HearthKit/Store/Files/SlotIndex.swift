import DiskStore
import LosslessJSON
import MergeCore
import ProfileKeeping

/// The file `profiles.json` in the folder of a game's profiles. It says which profile file belongs to which slot, so
/// the id of a profile is made once and found again.
///
/// Members that this version does not know stay in the file.
struct SlotIndex {
    /// What the index knows about one slot.
    struct Entry: Hashable, Sendable {
        /// The profile's id. The file has it as its name, unless the game chose a path.
        var id: ProfileID
        /// A digest of the rules that this game last put in force.
        var rules: String?
        /// The profile's id in the household, where that is another one because two profiles became one.
        var household: ProfileID?
        /// Decisions of the player that the agent has not been told yet.
        var decided: [Decision] = []
        /// Set while the save began empty here and no agent has read it: all amounts in its counters were earned on
        /// this device.
        var beganEmpty: Beginning?
    }

    /// Marks a save that began empty, with marks that distinguish it from a copy: a copy is in another folder, or
    /// another program than a store here wrote it.
    struct Beginning: Hashable, Sendable {
        /// The identity of the folder (``FolderIdentity``).
        var folder: String
        /// A digest of the save when the note was last written.
        var save: String
    }

    private static let tries = 10

    private let folder: String
    private let file: any SaveStorage

    init(folder: String) { (self.folder, file) = (folder, SaveFile(path: folder + "/profiles.json")) }

    /// An index in memory.
    init() { (folder, file) = ("", MemorySave("profiles.json in memory")) }

    func entry(_ slot: String) throws -> Entry? { try read().flatMap { Self.entry(slot, $0.document) } }

    /// The slot's entry; a new one with a random id where there is none.
    func mint(_ slot: String) throws -> Entry {
        var random = SystemRandomNumberGenerator()
        let fresh = ProfileID(random: random.next(), random.next())
        return try change(slot) { $0 ?? Entry(id: fresh) }
    }

    /// Notes which rules were put in force.
    func note(rules: String, of slot: String) throws {
        guard try entry(slot)?.rules != rules else { return }
        _ = try change(slot) { entry in
            guard var entry else { return nil }
            entry.rules = rules
            return entry
        }
    }

    /// Notes the profile's id in the household.
    func note(household: ProfileID, of slot: String) throws {
        guard let known = try entry(slot), household != known.household ?? known.id else { return }
        _ = try change(slot) { entry in
            guard var entry else { return nil }
            entry.household = household == entry.id ? nil : household
            return entry
        }
    }

    /// Notes decisions of the player, until the agent has been told.
    func note(decided: [Decision], of slot: String) throws {
        guard try entry(slot)?.decided != decided else { return }
        _ = try change(slot) { entry in
            guard var entry else { return nil }
            entry.decided = decided
            return entry
        }
    }

    /// Notes that the save began empty, and its content; `nil` once an agent has it or another program wrote it.
    func note(beganEmpty beginning: Beginning?, of slot: String) throws {
        guard try entry(slot)?.beganEmpty != beginning else { return }
        _ = try change(slot) { entry in
            guard var entry else { return nil }
            entry.beganEmpty = beginning
            return entry
        }
    }

    /// The note for a save that began empty; `nil` where the folder's identity is not known.
    func beginning(of save: JSONDocument) -> Beginning? {
        FolderIdentity.of(folder).map { Beginning(folder: $0, save: Self.digest(save.bytes)) }
    }

    /// A digest that shows whether bytes are those that were noted. It is no protection against forgery.
    static func digest(_ bytes: [UInt8]) -> String { String(FNV1a(bytes).value, radix: 16) }

    /// Changes one entry. The file is durable when this returns. Where another process writes the file at the same
    /// time, the change is made again on the new content, at most ``tries`` times.
    private func change(_ slot: String, _ body: (Entry?) -> Entry?) throws -> Entry {
        for _ in 0..<Self.tries {
            let found = try read()
            let former = found.flatMap { Self.entry(slot, $0.document) }
            guard let entry = body(former) else { break }
            if entry == former { return entry }
            let text = try Self.text(found?.document, slot, entry)
            switch try file.write(text, over: found?.mark) {
            case .written, .unconfirmed: return entry
            case .changed: continue
            }
        }
        throw StoreError(.disk, "another program keeps writing \(file.path); find out which one, and end it")
    }

    private func read() throws -> (document: JSONDocument, mark: FileIdentity)? {
        guard let content = try file.read() else { return nil }
        do {
            let document = try JSONDocument(parsing: content.bytes)
            guard document.kind(document.root) == .object else {
                throw StoreError(.damaged, "\(file.path) is no JSON object; restore it, or move it away with all saves")
            }
            return (document, content.mark)
        } catch let error as JSONSyntaxError {
            throw StoreError(
                .damaged, "\(file.path):\(error); it says which save is whose, so restore it, or correct it by hand")
        }
    }

    private static func entry(_ slot: String, _ document: JSONDocument) -> Entry? {
        guard let node = document.member(document.root, named: JSONString(slot)),
            case .string(let id)? = document.member(node, named: "id").map(document.value),
            let id = ProfileID(hex: id.string)
        else { return nil }
        var entry = Entry(id: id)
        if case .string(let rules)? = document.member(node, named: "rules").map(document.value) {
            entry.rules = rules.string
        }
        if case .string(let household)? = document.member(node, named: "household").map(document.value) {
            entry.household = ProfileID(hex: household.string)
        }
        if case .array(let decided)? = document.member(node, named: "decided").map(document.value) {
            entry.decided = decided.compactMap(Decision.init)
        }
        if let began = document.member(node, named: "beganEmpty").map(document.value),
            case .string(let folder)? = began["folder"], case .string(let save)? = began["save"]
        {
            entry.beganEmpty = Beginning(folder: folder.string, save: save.string)
        }
        return entry
    }

    private static func text(_ document: JSONDocument?, _ slot: String, _ entry: Entry) throws -> [UInt8] {
        var members = [JSONMember(key: "id", value: .string(JSONString(entry.id.description)))]
        if let rules = entry.rules { members.append(JSONMember(key: "rules", value: .string(JSONString(rules)))) }
        if let household = entry.household {
            members.append(JSONMember(key: "household", value: .string(JSONString(household.description))))
        }
        if !entry.decided.isEmpty {
            members.append(JSONMember(key: "decided", value: .array(entry.decided.map(\.json))))
        }
        if let began = entry.beganEmpty {
            let value: JSONValue = [
                "folder": .string(JSONString(began.folder)), "save": .string(JSONString(began.save)),
            ]
            members.append(JSONMember(key: "beganEmpty", value: value))
        }
        let value = JSONValue.object(members)
        let key = JSONString(slot)
        guard let document else {
            return JSONValue.object([JSONMember(key: key, value: value)]).jsonBytes(indent: "  ") + [0x0A]
        }
        if let node = document.member(document.root, named: key) {
            return try document.patched([.replace(node, value)])
        }
        return try document.patched([.insertMember(into: document.root, key: key, value)])
    }
}
