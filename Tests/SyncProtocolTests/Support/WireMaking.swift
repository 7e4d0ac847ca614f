import MergeCore
import SwiftProtobuf

@testable import SyncProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Frames as a careless or hostile peer might make them.
enum Forge {
    static func frame(_ body: WireFrame.OneOf_Body) -> [UInt8] {
        var frame = WireFrame()
        frame.body = body
        return FrameEncoder.frame(bytes(frame))
    }

    static func frame(pairing body: WirePairFrame.OneOf_Body) -> [UInt8] {
        var frame = WirePairFrame()
        frame.body = body
        return FrameEncoder.frame(bytes(frame))
    }

    static func bytes(_ message: some Message) -> [UInt8] { (try? message.serializedBytes()) ?? [] }

    /// - Parameter digest: What the peer says of its roster; that of an empty one where it is `nil`.
    static func hello(version: UInt32 = 1, name: String = "peer", digest: [UInt8]? = nil) -> [UInt8] {
        var hello = WireHello()
        hello.version = version
        hello.name = name
        hello.householdDigest = Data(digest ?? RosterDigest.of([], nil))
        return frame(.hello(hello))
    }

    static func vectors(_ profiles: [WireProfileVector] = [], complete: Bool = true) -> [UInt8] {
        var vectors = WireVectors()
        vectors.profiles = profiles
        vectors.complete = complete
        return frame(.vectors(vectors))
    }

    static func statement(
        _ number: UInt32 = 1,
        _ id: [UInt8] = profile.bytes,
        _ entries: [WireEntry] = [],
        restated: UInt32 = 0
    ) -> WireProfileVector {
        var wire = WireProfileVector()
        wire.profile = number
        wire.profileID = Data(id)
        wire.entries = entries
        wire.restated = restated
        return wire
    }

    static func entry(
        _ number: UInt32,
        _ id: ReplicaID?,
        _ sequence: UInt64 = 1,
        before: UInt64 = 0
    ) -> WireEntry {
        var entry = WireEntry()
        entry.replica = number
        entry.replicaID = Data(id?.bytes ?? [])
        entry.sequence = sequence
        entry.history = sequence &* 31
        entry.before = before
        return entry
    }

    /// Flags, or what else, in one run, their keys in full.
    static func columns(_ atoms: [(path: String, content: [UInt8])], kind: UInt8 = 6) -> WireColumns {
        var columns = WireColumns()
        columns.contentSize = atoms.dropLast().map { UInt32($0.content.count) }
        columns.contents = Data(atoms.flatMap(\.content))
        columns.pathSize = atoms.dropLast().map { UInt32($0.path.utf8.count) }
        columns.paths = Data(atoms.flatMap { Array($0.path.utf8) })
        columns.kinds = Data(repeating: kind, count: atoms.count)
        return columns
    }

    /// One flag whose key has a number.
    static func known(_ key: UInt32, _ content: [UInt8] = [1]) -> WireColumns {
        var columns = WireColumns()
        columns.key = [key]
        columns.contents = Data(content)
        return columns
    }

    /// A frame's atoms, compressed.
    static func packed(_ columns: WireColumns) -> Data {
        var packed = WirePacked()
        packed.columns = columns
        return Data(Deflate.compressed(bytes(packed)))
    }

    /// A sound delta of one flag, to be spoiled.
    static func delta(_ change: (inout WireDelta) -> Void = { _ in }) -> [UInt8] {
        var delta = WireDelta()
        delta.profile = 1
        delta.profileID = Data(profile.bytes)
        delta.to = [entry(1, ReplicaID(high: 5, low: 5))]
        delta.signatures = Data(repeating: 1, count: Limits.signature)
        delta.columns = columns([("/a", [1])])
        let count = delta.to.count
        change(&delta)
        if delta.to.count != count, delta.signatures.count == count * Limits.signature {
            delta.signatures = Data(repeating: 1, count: delta.to.count * Limits.signature)
        }
        return frame(.delta(delta))
    }

    /// A link that is open, its peer's list complete and empty.
    static func openLink(salt: UInt64 = 0) -> PeerLink {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], salt: salt, now: 0)
        _ = link.received(hello() + vectors(), now: 0)
        return link
    }
}

extension PeerLink {
    /// What comes of bytes, with the answer where the peer asks whether this side is there.
    mutating func heard(_ bytes: [UInt8], now: MonotonicTime) -> [LinkAction] {
        var answered: [LinkAction] = []
        for action in received(bytes, now: now) {
            if case .asked = action { answered += answer() } else { answered.append(action) }
        }
        return answered
    }
}
