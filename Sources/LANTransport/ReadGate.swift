import NIOCore

/// A channel handler between the socket and TLS that decides whether more bytes are read.
///
/// It must be below TLS, because the TLS handler requests reads on its own.
final class ReadGate: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var isHeld = false
    private var wantsRead = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func read(context: ChannelHandlerContext) {
        if isHeld {
            wantsRead = true
        } else {
            context.read()
        }
    }

    /// Stops reading: the peer's bytes stay in the socket, and TCP slows the peer down.
    ///
    /// At the end of the peer's stream NIO nevertheless reads the remaining bytes.
    func hold() {
        guard !isHeld else { return }
        isHeld = true
        setAutoRead(false)
    }

    func release() {
        guard isHeld else { return }
        isHeld = false
        setAutoRead(true)
        if wantsRead {
            wantsRead = false
            context?.read()
        }
    }

    /// Closes the socket at once, without a TLS `close_notify`.
    func breakOff() {
        context?.close(promise: nil)
    }

    private func setAutoRead(_ isOn: Bool) {
        // This fails only for a closed channel, which reads nothing anyway.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
