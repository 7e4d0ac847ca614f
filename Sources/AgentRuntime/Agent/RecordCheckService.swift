import DiskStore
import Libc
import ProfileKeeping
import ServiceLifecycle

/// Reads the whole record once after the start, where the start could leave that out. Damage ends the agent, as it would
/// have ended the start.
struct RecordCheckService: Service {
    let record: SQLiteRecord
    /// Ends when the agent is ready.
    let start: AsyncStream<Void>

    func run() async throws {
        for await _ in start.cancelOnGracefulShutdown() {}
        if !record.isSound, !Task.isShuttingDownGracefully, let check = RecordCheck(record) {
            defer { check.close() }
            let fault = await withTaskCancellationOrGracefulShutdownHandler {
                await Self.fault(found: check)
            } onCancelOrGracefulShutdown: {
                check.cancel()
            }
            if let fault { throw fault }
        }
        try? await gracefulShutdown()
    }

    private static func fault(found check: RecordCheck) async -> StorageFault? {
        await withCheckedContinuation { continuation in
            let isStarted = OwnThread.start {
                do throws(StorageFault) {
                    try check.run()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
            // Without a thread the record stays unchecked, and the next start checks it before anything else.
            if !isStarted { continuation.resume(returning: nil) }
        }
    }
}
