/// The reason why a roster cannot be changed as asked, in one sentence.
package struct RosterError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

extension Roster {
    /// Adds a device that was just paired, under a serial above all earlier ones about it.
    package func adding(_ key: DeviceKey, name: String, by signer: any DeviceSigner) throws(RosterError) -> Merge {
        guard contains(key) || members.count < Limits.members else {
            throw RosterError(
                description: "The household has \(members.count) devices, which is all it can have: remove one first."
            )
        }
        let serial = highestSerial(of: key) + 1
        guard serial <= Limits.serial else {
            throw RosterError(
                description: "The device was added and removed too often: give it a new key (a new home)."
            )
        }
        var new = [statement(key, DisplayName.cleaned(name), .paired, serial, signer)]
        if !statements.contains(where: { $0.subject == me && $0.issuer == me }) {
            new.append(statement(me, self.name, .vouched, max(1, serials[me] ?? 1), signer))
        }
        return merging(new)
    }

    /// Removes a device, and vouches for all members that remain, so that none of them is lost with it.
    package func removing(_ key: DeviceKey, by signer: any DeviceSigner) throws(RosterError) -> Merge {
        guard key != me else {
            throw RosterError(description: "A device cannot remove itself: remove it from another one.")
        }
        guard let member = members.first(where: { $0.key == key }) else {
            throw RosterError(description: "The device \(key.id) is not in the household.")
        }
        let serial = max(1, min(highestSerial(of: key), Limits.serial))
        var new = [statement(key, member.name, .removed, serial, signer)]
        let own = ownStatements
        for other in members where other.key != me && other.key != key { new += vouch(for: other, among: own, signer) }
        return merging(new)
    }

    /// States that devices wrote in saves that this device brought into the household. They are no members by that; their
    /// writes are accepted. At most ``Limits/broughtIn`` of them, since the others take no more from one device.
    package func remembering(_ writers: some Sequence<DeviceKey>, by signer: any DeviceSigner) -> Merge {
        let stated = statements.count { $0.issuer == me && $0.purpose == .wrote }
        let room = max(0, Limits.broughtIn - stated)
        let unknown = Set(writers.filter { $0 != me && !wasMember($0) }).sorted().prefix(room)
        return merging(unknown.map { statement($0, "", .wrote, 1, signer) })
    }

    /// Confirms the members and removals in force by statements of this device, so that they stay when the devices that
    /// stated them are removed: vouches for every member, under its current serial, and removes every device that was
    /// removed.
    ///
    /// Stops vouching when half of all statements that a roster can hold are used: beyond about 20 devices not every
    /// device needs to vouch for every other.
    package func vouching(by signer: any DeviceSigner) -> Merge {
        var new: [RosterStatement] = []
        let own = ownStatements
        for (key, serial) in removals.sorted(by: { $0.key < $1.key }) where key != me {
            let isDone = own.contains { $0.subject == key && $0.purpose == .removed && $0.serial >= serial }
            if !isDone { new.append(statement(key, knownName(of: key), .removed, serial, signer)) }
        }
        for other in members where other.key != me && statements.count + new.count < Limits.statements / 2 {
            new += vouch(for: other, among: own, signer)
        }
        return merging(new)
    }

    /// The statements that this device has signed.
    private var ownStatements: [RosterStatement] { statements.filter { $0.issuer == me } }

    /// The members that only one device brought into the household: it paired with them, and no other member did.
    package func broughtIn(by key: DeviceKey) -> [Member] {
        members.filter { $0.key != me && $0.key != key && introducers(of: $0.key) == [key] }
    }

    /// The members that paired with a device, or did before they were removed; in order.
    package func introducers(of key: DeviceKey) -> [DeviceKey] {
        let issuers = statements.filter {
            $0.subject == key && $0.issuer != key && $0.purpose == .paired && everMembers.contains($0.issuer)
        }.map(\.issuer)
        let present = issuers.filter(contains)
        return (present.isEmpty ? issuers : present).sorted()
    }

    private func knownName(of key: DeviceKey) -> String {
        statements.first { $0.subject == key && $0.isOfMember }?.name ?? "removed"
    }

    /// SHA-256 over all statements, as a pairing says it.
    package var digest: [UInt8] { RosterDigest.of(statements) }

    private func highestSerial(of key: DeviceKey) -> UInt64 {
        statements.lazy.filter { $0.subject == key }.map(\.serial).max() ?? 0
    }

    private func vouch(
        for member: Member, among own: [RosterStatement], _ signer: any DeviceSigner
    ) -> [RosterStatement] {
        let serial = serials[member.key] ?? 0
        let isDone = own.contains { $0.subject == member.key && $0.isOfMember && $0.serial >= serial }
        return isDone || serial == 0 ? [] : [statement(member.key, member.pairedName, .vouched, serial, signer)]
    }

    private func statement(
        _ subject: DeviceKey,
        _ name: String,
        _ purpose: RosterStatement.Purpose,
        _ serial: UInt64,
        _ signer: any DeviceSigner
    ) -> RosterStatement {
        assert(signer.key == me, "a roster is changed with this device's own key")
        return RosterStatement(
            household: household,
            subject: subject,
            name: name,
            purpose: purpose,
            serial: serial,
            by: signer
        )
    }
}
