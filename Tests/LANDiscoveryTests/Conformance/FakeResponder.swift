import HouseholdAgent

@testable import LANDiscovery

/// An instance as a responder shows it, in the bytes that come from the network.
struct FakeInstance {
    /// What tells instances apart: the name, and the interface where it is seen.
    struct Key: Hashable {
        var name: [UInt8]
        var interface: UInt32
    }

    var name: [UInt8]
    var interface: UInt32 = 2
    var port: UInt16 = 4_000
    var txt: [UInt8]
    var addresses: [[UInt8]] = [[10, 0, 0, 9]]

    init(_ name: String, txt: [String: String] = ["v": "1"]) {
        self.name = Array(name.utf8)
        self.txt = TXTStrings.encode(TXTStrings.strings(of: txt).strings)
    }

    var key: Key { Key(name: name, interface: interface) }

    /// The host that it is on: one of its own, the same on all interfaces.
    var host: String { "h" + name.map { String($0, radix: 16) }.joined(separator: "-") + ".local" }

    /// How an instance on eth0 is told.
    static func found(
        _ name: String, _ host: String = "10.0.0.9", txt: [String: String] = ["v": "1"]
    ) -> DiscoveryEvent {
        .found(instance: name, addresses: [PeerAddress(host: host, port: 4_000)], txt: txt)
    }
}

/// A responder and the network behind it, under a test's control.
protocol FakeResponder: AnyObject {
    /// Whether this device sees what it announces itself.
    var showsOwn: Bool { get set }
    /// What is published; `nil` where nothing is.
    var published: String? { get }
    /// A backend that finds what this responder shows.
    func makeBackend(_ sink: any InstanceSink, _ mailbox: Mailbox, _ time: VirtualTime) throws(BackendError)
        -> any DiscoveryBackend
    /// An instance is there, or is another one than before.
    func show(_ instance: FakeInstance)
    /// An instance says farewell.
    func hide(_ name: String, interface: UInt32)
    /// An instance is gone, and nobody was told.
    func lose(_ name: String)
    /// The responder ends. Until it rises it refuses all.
    func die()
    func rise()
}

extension FakeResponder {
    /// Whether this device gets an answer when it asks by multicast for what it announces.
    func hears(_ name: String) -> Bool { showsOwn && published == name }
}

/// Time that only a test moves.
final class VirtualTime {
    private let start = (real: ContinuousClock.now, awake: SuspendingClock.now)
    private(set) var passed = Duration.zero
    private var slept = Duration.zero

    var now: ContinuousClock.Instant { start.real + passed }
    var awake: SuspendingClock.Instant { start.awake + (passed - slept) }

    func pass(_ duration: Duration) { passed += duration }

    /// The machine is suspended.
    func sleep(_ duration: Duration) {
        passed += duration
        slept += duration
    }
}
