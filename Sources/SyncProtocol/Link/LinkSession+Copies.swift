import MergeCore

/// Messages about copies of daily backups, sent and received; see Sync.proto. Everything that the peer lists and sends
/// is limited here, before other code uses it.
extension LinkSession {
    // MARK: Sending

    mutating func keepCopies(_ keeps: Bool) -> [LinkAction] {
        guard keeps != copies.keeps else { return [] }
        copies.keeps = keeps
        copies.everKept = true
        var message = WireKeepsCopies()
        message.keeps = keeps
        return [.send(WireFrame.bytes(.keepsCopies(message)))]
    }

    mutating func listCopies(of profile: ProfileID, _ list: [CopyFacts]) -> [LinkAction] {
        precondition(list.count <= Limits.copies, "\(list.count) copies are listed at once")
        guard copies.peerKeeps else { return [] }
        var message = WireCopyList()
        let (number, bytes) = outgoing.profile(profile)
        message.profile = number
        if !bytes.isEmpty { message.profileID = bytes.wire }
        message.copies = list.map { facts in
            var wire = WireCopyFacts()
            wire.day = facts.day
            wire.size = UInt64(facts.size)
            wire.checksum = facts.checksum.wire
            return wire
        }
        return [.send(WireFrame.bytes(.copyList(message)))]
    }

    mutating func askForCopy(of profile: ProfileID, _ facts: CopyFacts, from offset: Int) -> [LinkAction] {
        precondition(copies.asked == nil, "a copy is asked for before the last question was answered")
        precondition(0..<facts.size ~= offset, "a copy is asked for beyond its end")
        let question = CopyQuestion(profile: profile, checksum: facts.checksum, offset: offset)
        copies.asked = (question, facts.size - offset)
        var message = WireCopyRequest()
        let (number, bytes) = outgoing.profile(profile)
        message.profile = number
        if !bytes.isEmpty { message.profileID = bytes.wire }
        message.checksum = facts.checksum.wire
        message.offset = UInt64(offset)
        return [.send(WireFrame.bytes(.copyRequest(message)))]
    }

    mutating func answerCopy(_ content: [UInt8]) -> [LinkAction] {
        precondition(content.count <= Limits.copyPart, "a part of \(content.count) bytes is beyond the limit")
        guard copies.isAsked else { return [] }
        copies.isAsked = false
        var message = WireCopyPart()
        message.content = content.wire
        return [.send(WireFrame.bytes(.copyPart(message)))]
    }

    // MARK: Receiving

    mutating func receive(_ message: WireKeepsCopies) -> [LinkAction] {
        guard message.keeps != copies.peerKeeps else { return [] }
        copies.peerKeeps = message.keeps
        return [.keepsCopies(message.keeps)]
    }

    mutating func receive(_ message: WireCopyList) throws(ProtocolFault) -> [LinkAction] {
        guard copies.everKept else { throw ProtocolFault("it lists copies, and this device keeps none") }
        let profile = try incoming.profile(message.profile, message.profileID)
        guard message.copies.count <= Limits.copies else {
            throw ProtocolFault("it lists \(message.copies.count) copies of one profile, more than \(Limits.copies)")
        }
        var list: [CopyFacts] = []
        for wire in message.copies {
            guard wire.checksum.count == Limits.checksum else {
                throw ProtocolFault("a copy's checksum has \(wire.checksum.count) bytes")
            }
            guard 1...UInt64(Limits.copySize) ~= wire.size else {
                throw ProtocolFault("a copy of \(wire.size) bytes is listed; 1 to \(Limits.copySize) are taken")
            }
            guard Self.isDay(wire.day) else { throw ProtocolFault("a copy is listed for \(wire.day), which is no day") }
            guard !list.contains(where: { $0.day == wire.day }) else {
                throw ProtocolFault("two copies are listed for day \(wire.day)")
            }
            list.append(CopyFacts(day: wire.day, size: Int(wire.size), checksum: wire.checksum.array))
        }
        return copies.keeps ? [.copies(profile, list)] : []
    }

    mutating func receive(_ message: WireCopyRequest) throws(ProtocolFault) -> [LinkAction] {
        guard copies.peerKeeps else { throw ProtocolFault("it asks for a copy, and keeps none") }
        guard !copies.isAsked else { throw ProtocolFault("it asks for a part of a copy before it has the last one") }
        let profile = try incoming.profile(message.profile, message.profileID)
        guard message.checksum.count == Limits.checksum else {
            throw ProtocolFault("a copy's checksum has \(message.checksum.count) bytes")
        }
        guard message.offset < UInt64(Limits.copySize) else {
            throw ProtocolFault("a copy is asked for from byte \(message.offset)")
        }
        copies.isAsked = true
        return [
            .copyAsked(
                CopyQuestion(profile: profile, checksum: message.checksum.array, offset: Int(message.offset)))
        ]
    }

    mutating func receive(_ message: WireCopyPart) throws(ProtocolFault) -> [LinkAction] {
        guard let (question, rest) = copies.asked else { throw ProtocolFault("a part of a copy came unasked") }
        guard message.content.count <= Limits.copyPart else {
            throw ProtocolFault("a part of a copy has \(message.content.count) bytes, more than \(Limits.copyPart)")
        }
        guard message.content.count <= rest else { throw ProtocolFault("a copy is longer than it was listed") }
        copies.asked = nil
        return [.copyPart(question, message.content.array)]
    }

    /// Whether a number is a day, as ``CopyFacts/day`` writes it.
    private static func isDay(_ number: UInt32) -> Bool {
        1...9_999 ~= number / 10_000 && 1...12 ~= number / 100 % 100 && 1...31 ~= number % 100
    }
}
