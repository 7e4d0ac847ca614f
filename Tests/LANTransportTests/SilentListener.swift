import NIOCore
import NIOPosix

/// A listener that accepts and never says a word.
struct SilentListener {
    private let channel: any Channel
    let port: UInt16

    init() async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    func close() async throws {
        try await channel.close().get()
    }
}
