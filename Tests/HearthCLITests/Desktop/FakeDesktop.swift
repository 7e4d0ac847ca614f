import Libc
import Synchronization
import TestSupport
import Testing

@testable import AgentRuntime

/// A desktop without a screen: a real session bus (dbus-daemon), and a service on it that takes messages as
/// org.freedesktop.Notifications does, and keeps what it was told.
final class FakeDesktop: Sendable {
    enum Told: Equatable {
        case shown(title: String, text: String, former: UInt32)
        case closed(UInt32)
    }

    private static let daemon = "/usr/bin/dbus-daemon"
    static let isPossible = access(daemon, X_OK) == 0
    static let missing: Comment = "there is no dbus-daemon; Tests/install-packages.sh tests brings it"

    let address: String
    private let daemon: ChildProcess
    private let all = Mutex<[Told]>([])
    private let isOver = Atomic(false)

    var told: [Told] { all.withLock { $0 } }

    init(_ folder: Folder) async throws {
        let path = folder.path("bus")
        address = "unix:path=\(path)"
        let configuration = folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
            """, "bus.conf")
        daemon = try ChildProcess(
            Self.daemon, ["--config-file=\(configuration)", "--nofork", "--nopidfile"], as: "dbus-daemon",
            environment: [], input: .file("/dev/null"), output: .file(folder.path("bus.out")),
            errors: .file(folder.path("bus.err")))
        let bus = try #require(
            try await poll { SessionBus(address: Array(path.utf8)) }, "\(Disk.text(folder.path("bus.err")))")
        var name = BusBytes(signature: "su")
        name.add("org.freedesktop.Notifications")
        name.add(0)
        let owned = bus.call(
            BusMessage(
                call: "RequestName", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
                to: "org.freedesktop.DBus", name))
        #expect(owned?.kind == .answer)
        nonisolated(unsafe) let served = bus
        OwnThread.start { [self] in
            while !isOver.load(ordering: .relaxed) {
                if let call = served.receive() { answer(call, on: served) }
            }
        }
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        daemon.kill()
    }

    private func answer(_ call: BusMessage, on bus: SessionBus) {
        guard call.kind == .call else { return }
        var reader = BusReader(call.body.bytes)
        var answer = BusMessage(.answer)
        (answer.answers, answer.texts[.destination]) = (call.serial, call.texts[.sender])
        switch (call.texts[.member], call.body.signature) {
        case ("Notify", "susssasa{sv}i"):
            guard reader.text() == "Hearth", let former = reader.number(), reader.text() != nil,
                let title = reader.text(), let text = reader.text()
            else { return }
            let number = all.withLock { all in
                all.append(.shown(title: title, text: text, former: former))
                return UInt32(all.count)
            }
            answer.body = BusBytes(signature: "u")
            answer.body.add(former == 0 ? number : former)
        case ("CloseNotification", "u"):
            guard let number = reader.number() else { return }
            all.withLock { $0.append(.closed(number)) }
        default: return
        }
        _ = bus.send(answer)
    }
}
