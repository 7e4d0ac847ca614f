package import HouseholdAgent
package import Logging

/// Publishes this device and looks for others in the local network until cancelled.
///
/// The service is `_hearth._tcp` in the domain `local` (RFC 6762, RFC 6763). What it finds is a hint: identity and
/// liveness come from TLS. All work of the C libraries happens on one thread that belongs to `run`.
package struct LANDiscovery: Sendable {
    /// The DNS-SD service type.
    static let serviceType = "_hearth._tcp"
    /// The DNS-SD domain.
    static let domain = "local"

    private let mode: DiscoveryMode
    private let interfaces: [String]
    private let logger: Logger

    /// Prepares discovery; nothing is sent before `run`.
    ///
    /// `interfaces` restricts it to those network interfaces by name, `["lo"]` for one that leaves this machine alone;
    /// empty means all.
    package init(mode: DiscoveryMode, interfaces: [String], logger: Logger) {
        self.mode = mode
        self.interfaces = interfaces
        self.logger = logger
    }

    /// Runs until the task is cancelled, and then returns within one second.
    ///
    /// The first element of `announcements` starts publishing, later ones replace it; when the stream ends the last one
    /// stays. `report` is called on the discovery thread, one call at a time, and must not block. Nothing is thrown:
    /// what does not work is told by `.trouble`, and tried again.
    package func run(
        announcements: AsyncStream<ServiceAnnouncement>,
        report: @Sendable @escaping (DiscoveryEvent) -> Void
    ) async {
        guard mode != .off else { return await Self.untilCancelled() }
        guard let mailbox = Mailbox() else {
            report(.trouble("discovery cannot start: no file descriptors are left; close other programs"))
            return await Self.untilCancelled()
        }
        let (mode, interfaces, logger) = (mode, interfaces, logger)
        let hasStarted = DedicatedThread.start {
            DiscoveryLoop(mode: mode, interfaces: interfaces, logger: logger, mailbox: mailbox, report: report).run()
            mailbox.end()
        }
        guard hasStarted else {
            report(.trouble("discovery cannot start: the system gives no thread; close other programs"))
            return await Self.untilCancelled()
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await announcement in announcements { mailbox.post(announcement) }
            }
            group.addTask {
                await withTaskCancellationHandler {
                    await mailbox.untilEnd()
                } onCancel: {
                    Self.stop(mailbox)
                }
            }
        }
    }

    /// Tells the thread to end. A system responder that hangs can hold it in a C call for up to 25 s (the time limit of
    /// D-Bus); nobody waits longer than 0.9 s for that, and the thread then frees everything when the call returns.
    private static func stop(_ mailbox: Mailbox) {
        mailbox.cancel()
        let isWatched = DedicatedThread.start {
            pause(milliseconds: 900)
            mailbox.end()
        }
        if !isWatched { mailbox.end() }
    }

    private static func untilCancelled() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }
}
