import LosslessJSON
import MergeCore
import ProfileKeeping
import SyncProtocol

/// Looks up the names in requests: profiles, devices of the household, and places in a save. Every request finds them here,
/// so that each answers a misspelt name with the near one.
extension HouseholdAgent {
    // MARK: Profiles

    /// The profiles with an id or a name. The id of a profile that the player of this device joined into another one
    /// finds the other one. A name finds only profiles that no device joined into another one.
    func profiles(named name: String) -> [ProfileID] {
        if let id = ProfileID(hex: name), engine.profiles[id] != nil { return [engine.meant(by: id)] }
        let held = engine.profiles
        return held.ids(named: name).filter { held.isOffered($0) }
    }

    /// The one profile with an id or a name; `nil` if there is none, or more than one. Then the request has been answered.
    mutating func one(named name: String, for id: RequestID) -> ProfileID? {
        let all = profiles(named: name)
        if all.count == 1 { return all[0] }
        if all.isEmpty {
            fail(id, .failed, unknownProfile(name))
        } else {
            fail(id, .needsDecision, "several saves are called \(name): name one by its id: \(list(all))")
        }
        return nil
    }

    /// The sentence about a name that no profile has; it says the near name, where there is one.
    ///
    /// - Parameter place: Where profiles of that name were looked for.
    func unknownProfile(_ name: String, in place: String = "here") -> String {
        "no save is called \(name) \(place); \(meant(name, among: profileNames))'hearth status' lists them"
    }

    /// The names of the profiles that commands take.
    var profileNames: [String] {
        let held = engine.profiles
        return engine.ids.filter { held.isOffered($0) }.map { held[$0]!.name }
    }

    /// Profiles of one name as a text, each with its id and its file.
    private func list(_ ids: [ProfileID]) -> String {
        // The ones with a file here come first, since the player means one of them mostly.
        let here = ids.filter { engine.profiles[$0]?.file.path != nil }
        let all = here + Set(ids).subtracting(here).sorted()
        let some = all.prefix(Self.namesakesNamed).map { "\($0) (\(whereabouts($0)))" }.joined(separator: ", ")
        return all.count > Self.namesakesNamed ? "\(some) and \(all.count - Self.namesakesNamed) more" : some
    }

    func whereabouts(_ id: ProfileID) -> String { engine.profiles[id]?.file.path ?? "no file here" }

    // MARK: Devices

    /// The members of the household, this device too, with a name, an id, or the beginning of an id; also with the name
    /// and the beginning of the id, as devices of one name are shown. A device that calls itself what another one's id
    /// begins with is found beside that one, not in its place.
    func members(named name: String) -> [Roster.Member] {
        let all = household.roster.members
        if let exact = all.first(where: { $0.id.description == name }) { return [exact] }
        let named = all.filter { [$0.name, self.name(of: $0.id)].contains(name) }
        // Ids are shown by their first eight digits. Fewer may be a name, such as "b" or "ada".
        guard named.isEmpty ? !name.isEmpty : name.utf8.count >= 8 else { return named }
        return all.filter { named.contains($0) || $0.id.hex.hasPrefix(name.lowercased()) }
    }

    /// Devices as a text, each with its id.
    func list(_ members: [Roster.Member]) -> String {
        members.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
    }

    /// The sentence about a name that neither a profile nor a device has.
    func unknown(_ name: String) -> String {
        let near = meant(name, among: profileNames + household.roster.members.map(\.name))
        return "no save and no machine is called \(name); \(near)'hearth status' lists them"
    }

    /// The name of the device that writes as a replica.
    func deviceName(_ replica: ReplicaID) -> String {
        guard let origin = origins[replica] else { return "device \(replica.hex.prefix(8))" }
        return origin.device == signer.key ? identity.name : name(of: origin.device)
    }

    // MARK: Places

    /// The place that a JSON Pointer names in what a profile shows; `nil` if there is none. Then the request has been answered.
    mutating func place(_ id: RequestID, _ pointer: String, in held: KeptProfile) -> DocumentPath? {
        do {
            let pointer = try JSONPointer(parsing: pointer)
            let text = merged(held) ?? Array("null".utf8)
            if let path = DocumentPath(pointer, in: try JSONDocument(parsing: text), rules: held.rules) {
                return path
            }
            fail(id, .failed, "\(held.name) has nothing there")
        } catch {
            let document = merged(held).flatMap { try? JSONDocument(parsing: $0) }
            let isThere = (try? JSONPointer(parsing: "/\(pointer)")).flatMap { document?.node(at: $0) } != nil
            fail(id, .usage, "\(error)" + (isThere ? "; did you mean /\(pointer)?" : ""))
        }
        return nil
    }

    // MARK: Near names

    /// The question whether the near one of the known names was meant, with a space behind it; empty where none is near.
    func meant(_ name: String, among known: [String]) -> String {
        NearWord.of(name, in: known).map { "did you mean \($0)? " } ?? ""
    }
}
