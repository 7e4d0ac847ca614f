import NIOCore

/// Stands between the socket and TLS and decides whether more may be read.
///
/// Below TLS, because the TLS handler asks for reads of its own accord.
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

    /// From now on the peer's bytes stay in the socket, where TCP slows the peer down.
    ///
    /// Only at the peer's end of stream does NIO read what is left, held or not.
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

    /// Closes the socket at once, without TLS's farewell.
    func breakOff() {
        context?.close(promise: nil)
    }

    private func setAutoRead(_ isOn: Bool) {
        // Fails only on a closed channel, where nothing is read anyway.
        try? context?.channel.syncOptions?.setOption(.autoRead, value: isOn)
    }
}
