import MergeCore
import SwiftProtobuf
import SyncProtocol

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

    static func hello(version: UInt32 = 1, name: String = "peer") -> [UInt8] {
        var hello = WireHello()
        hello.version = version
        hello.name = name
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

    static func atom(_ path: String, _ content: [UInt8] = [1], kind: UInt32 = 6) -> WireAtom {
        var atom = WireAtom()
        atom.path = Data(path.utf8)
        atom.kind = kind
        atom.content = Data(content)
        return atom
    }

    static func run(_ position: UInt32, back: UInt64 = 0, _ atoms: [WireAtom]) -> WireRun {
        var run = WireRun()
        run.position = position
        run.back = back
        run.atoms = atoms
        return run
    }

    /// A sound delta of one flag, to be spoiled.
    static func delta(_ change: (inout WireDelta) -> Void = { _ in }) -> [UInt8] {
        var delta = WireDelta()
        delta.profile = 1
        delta.profileID = Data(profile.bytes)
        delta.to = [entry(1, ReplicaID(high: 5, low: 5))]
        delta.runs = [run(0, [atom("/a")])]
        change(&delta)
        return frame(.delta(delta))
    }

    /// A link that is open, its peer's list complete and empty.
    static func openLink() -> PeerLink {
        var link = PeerLink(localName: "me", now: 0)
        _ = link.start(profiles: [:], roster: [], now: 0)
        _ = link.received(hello() + vectors(), now: 0)
        return link
    }
}
