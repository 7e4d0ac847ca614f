import NIOCore

/// Closes a connection whose client has closed its sending side.
///
/// A client that goes away is first seen as one that sends no more, and nothing else is seen until something is
/// written to it. Whoever asked must not have left for the agent to find out at the end of a pairing.
final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.fireUserInboundEventTriggered(event)
        if case .inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
    }
}
