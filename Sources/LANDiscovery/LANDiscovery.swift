package import HouseholdAgent
import Libc
package import Logging

/// DNS-SD in the local network: publishes this device and looks for others, until cancelled.
///
/// The service is `_hearth._tcp` in the domain `local` (RFC 6762, RFC 6763). The instances found are hints only: TLS
/// proves which device an instance is and whether it is there. All work of the C libraries happens on one thread that
/// belongs to `run`.
package struct LANDiscovery: Sendable {
    /// The DNS-SD service type.
    static let serviceType = "_hearth._tcp"
    /// The DNS-SD domain.
    static let domain = "local"

    private let mode: DiscoveryMode
    private let interfaces: [String]
    private let logger: Logger
    private let ask: SlowQuestion.Ask

    /// Prepares discovery; nothing is sent before `run`.
    ///
    /// `interfaces` restricts discovery to network interfaces by name, such as `["lo"]` to stay inside this machine;
    /// empty means all.
    package init(mode: DiscoveryMode, interfaces: [String], logger: Logger) {
        self.init(mode: mode, interfaces: interfaces, logger: logger, ask: { SystemBackend.answers() })
    }

    /// - Parameter ask: Asks the system's responder whether it answers; may block.
    init(mode: DiscoveryMode, interfaces: [String], logger: Logger, ask: @escaping SlowQuestion.Ask) {
        self.mode = mode
        self.interfaces = interfaces
        self.logger = logger
        self.ask = ask
    }

    /// Runs until the task is cancelled, and then returns within one second.
    ///
    /// The first element of `announcements` starts publishing, later ones replace it; when the stream ends, the last
    /// one stays. `report` is called on the discovery thread, one call at a time, and must not block. Nothing is
    /// thrown: a failure is reported as `.trouble` and tried again.
    package func run(
        announcements: AsyncStream<ServiceAnnouncement>,
        report: @Sendable @escaping (DiscoveryEvent) -> Void
    ) async {
        guard mode != .off else { return await Self.untilCancelled() }
        guard let mailbox = Mailbox() else {
            report(.trouble("discovery cannot start: no file descriptors are left; close other programs"))
            return await Self.untilCancelled()
        }
        let (mode, interfaces, logger, ask) = (mode, interfaces, logger, ask)
        let hasStarted = OwnThread.start {
            DiscoveryLoop(
                mode: mode, interfaces: interfaces, logger: logger, mailbox: mailbox, ask: ask, report: report
            ).run()
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

    /// Asks the thread to end. A system responder that hangs can keep it in a C call for up to 25 s (the time limit of
    /// D-Bus). This function waits at most 0.9 s; the thread frees everything when the call returns.
    private static func stop(_ mailbox: Mailbox) {
        mailbox.cancel()
        let isWatched = OwnThread.start {
            usleep(900_000)
            mailbox.end()
        }
        if !isWatched { mailbox.end() }
    }

    private static func untilCancelled() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
    }
}
