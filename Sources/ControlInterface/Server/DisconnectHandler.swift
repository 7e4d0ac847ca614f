import NIOCore

/// Closes a connection whose client has closed its sending side.
///
/// When a client goes away, at first only the end of its input is seen, and nothing more until something is written to
/// it. Without this handler a pairing would stay open until its end, although no client waits for it.
final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case .inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
    }
}
