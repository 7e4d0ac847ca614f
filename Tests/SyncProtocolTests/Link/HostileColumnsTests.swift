import MergeCore
import SyncProtocol
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Atoms, keys, epochs and compressed fields that are broken or mean harm.
@Suite struct HostileColumnsTests {
    typealias Case = HostileCase

    private static let r1 = ReplicaID(high: 1, low: 1)

    static let cases: [Case] = [
        Case("dot of no replica", "replica 1 of 1") { Forge.delta { $0.columns.runAhead = [1] } },
        Case("dot of a replica beyond counting", "replica 4294967295 of 1") {
            Forge.delta { $0.columns.runAhead = [.max] }
        },
        Case("dot behind its span", "outside the span") {
            Forge.delta {
                $0.to[0].sequence = 9; $0.columns.runStep = [1]
            }
        },
        Case("dot beyond counting", "outside the span") { Forge.delta { $0.columns.runStep = [.max] } },
        Case("path without slash", "neither") { Forge.delta { $0.columns = Forge.columns([("a", [1])]) } },
        Case("path of 5,000 bytes", "5000 bytes") {
            Forge.delta { $0.columns = Forge.columns([("/" + String(repeating: "a", count: 4_999), [1])]) }
        },
        Case("path shared with nothing", "shares 4 bytes with one of 0") {
            Forge.delta { $0.columns.pathShared = [4] }
        },
        Case("value shared with nothing", "shares 1 bytes with one of 0") {
            Forge.delta { $0.columns.contentShared = [1] }
        },
        Case("value shared beyond the lead", "shares 9 bytes with one of 8") {
            Forge.delta {
                $0.columns = Forge.columns([("/a", [1, 2, 3, 4, 5, 6, 7, 8, 0x31, 0x32])], kind: 0); $0.more = true
            }
                + Forge.delta {
                    $0 = WireDelta()
                    $0.number = 1
                    $0.columns = Forge.known(1, [])
                    $0.columns.contentShared = [9]
                }
        },
        Case("flag of 2", "unreadable") { Forge.delta { $0.columns = Forge.columns([("/a", [2])]) } },
        Case("counter of a million digits", "unreadable") {
            Forge.delta {
                let digits = [UInt8](repeating: UInt8(ascii: "9"), count: 1_000_000)
                $0.columns = Forge.columns([("/a", digits)], kind: 3)
            }
        },
        Case("counter part of 3 bytes", "3 bytes") {
            Forge.delta {
                $0.columns.kinds = Data([3]); $0.columns.sub = [4]; $0.columns.subs = Data([1, 2, 3])
            }
        },
        Case("JSON 100,000 deep", "unreadable") {
            Forge.delta {
                let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
                $0.columns = Forge.columns([("/a", deep)], kind: 1)
            }
        },
        Case("key never given", "key number 1 was never given") { Forge.delta { $0.columns = Forge.known(1) } },
        Case("key of the other direction never given", "key number 2 was never given") {
            Forge.delta { $0.columns = Forge.known(2) }
        },
        Case("key beyond counting", "key number 4294967295") { Forge.delta { $0.columns = Forge.known(.max) } },
        Case("epoch out of turn", "epoch number 2 is used out of turn") { Forge.delta { $0.columns.epoch = [2] } },
        Case("epoch without bytes", "0 bytes that are none") { Forge.delta { $0.columns.epoch = [1] } },
        Case("epoch of an unknown kind", "33 bytes that are none") {
            Forge.delta {
                $0.columns.epoch = [1]; $0.columns.epochs = Data(repeating: 9, count: 33)
            }
        },
        Case("epoch of nothing", "belong to nothing") { Forge.delta { $0.columns.epochs = Data(count: 33) } },
        Case("sub of nothing", "belong to nothing") { Forge.delta { $0.columns.subs = Data([1]) } },
        Case("sub beyond its bytes", "a sub of 4294967294 bytes") { Forge.delta { $0.columns.sub = [.max] } },
        Case("path of nothing", "paths without keys") {
            Forge.delta { $0.more = true }
                + Forge.delta {
                    $0 = WireDelta()
                    $0.number = 1
                    $0.columns = Forge.known(1)
                    $0.columns.paths = Data([1])
                }
        },
        Case("values larger than their bytes", "values of a delta are larger") {
            Forge.delta {
                $0.columns = Forge.columns([("/a", [1]), ("/b", [1])]); $0.columns.contentSize = [3]
            }
        },
        Case("more runs than atoms", "do not fit") { Forge.delta { $0.columns.runSize = [1, 1] } },
        Case("run without atoms", "run without atoms") {
            Forge.delta {
                $0.columns = Forge.columns([("/a", [1]), ("/b", [1])]); $0.columns.runSize = [0]
            }
        },
        Case("runs larger than their atoms", "runs of a delta are larger") {
            Forge.delta {
                $0.columns = Forge.columns([("/a", [1]), ("/b", [1])]); $0.columns.runSize = [.max]
            }
        },
        Case("more kinds than keys", "do not fit") { Forge.delta { $0.columns.kinds = Data([6, 6]) } },
        Case("history of several writes left out", "history") {
            Forge.delta {
                $0.to = [Forge.entry(1, r1, 5, before: 1)]; $0.to[0].clearHistory()
            }
        },
        Case("statement without history", "history") {
            var entry = Forge.entry(1, r1)
            entry.clearHistory()
            return Forge.vectors([Forge.statement(1, profile.bytes, [entry], restated: 1)])
        },
        Case("compressed noise", "no zlib stream") {
            Forge.delta {
                $0.clearColumns(); $0.packed = Data((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 97) })
            }
        },
        Case("compressed and cut off", "no zlib stream") {
            Forge.delta {
                $0.packed = Forge.packed($0.columns).dropLast(); $0.clearColumns()
            }
        },
        Case("compressed with more behind", "no zlib stream") {
            Forge.delta {
                $0.packed = Forge.packed($0.columns) + Data([0]); $0.clearColumns()
            }
        },
        Case("compressed no message", "no message") {
            Forge.delta {
                $0.packed = Data(Deflate.compressed([0x0a, 0xff, 0xff, 0xff])); $0.clearColumns()
            }
        },
        Case("compressed and plain", "in part") { Forge.delta { $0.packed = Forge.packed($0.columns) } },
        Case("compressed bomb", "more than 1048576 bytes") {
            Forge.delta {
                $0.packed = Data(Deflate.compressed([UInt8](repeating: 0, count: 64 << 20)))
                $0.clearColumns()
            }
        },
        Case("compressed, one byte beyond", "more than 1048576 bytes") {
            Forge.delta {
                $0.packed = Data(Deflate.compressed([UInt8](repeating: 0, count: 1 << 20 + 1))); $0.clearColumns()
            }
        },
    ]

    @Test(arguments: cases)
    func aBrokenPeerIsClosed(_ hostile: Case) throws {
        let end = try hostile.outcome()
        #expect(end.blame == .peer && end.reason.contains(hostile.sentence), "\(end.reason)")
        #expect(end.deltas.isEmpty && end.isClosed && end.actionsAfterwards.isEmpty)
    }
}
