import NIOCore

/// A channel handler between the socket and TLS that decides whether more bytes may be read.
///
/// It is below TLS, because the TLS handler requests reads by itself.
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

    /// Stops reading: from now on the peer's bytes stay in the socket, where TCP slows the peer down.
    ///
    /// Only at the peer's end of stream NIO reads the remaining bytes even so.
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
        // This fails only on a closed channel, where nothing is read anyway.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
