import NIOCore
import NIOPosix

/// A listener that accepts, and never says a word, or says one thing at once, as programs do that speak no TLS.
struct SilentListener {
    private let channel: any Channel
    let port: UInt16

    init(saying text: String? = nil) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { child in
                guard let text else { return child.eventLoop.makeSucceededVoidFuture() }
                child.eventLoop.execute { child.writeAndFlush(ByteBuffer(string: text), promise: nil) }
                return child.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
    }

    func close() async throws {
        try await channel.close().get()
    }
}
