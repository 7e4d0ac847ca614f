import Libc
import Logging
import NIOCore

/// Closes connections of other users before any of their bytes is handled.
///
/// The socket's folder keeps other users out already. This check also holds where the folder's mode was lost, for
/// example in a home that was copied or shared.
final class PeerCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let admits: @Sendable (uid_t) -> Bool
    private let logger: Logger
    /// False until the system has told which user connected.
    private var isAdmitted = false

    init(admits: @escaping @Sendable (uid_t) -> Bool, logger: Logger) {
        self.admits = admits
        self.logger = logger
    }

    /// Whether it is this user or root. Root can do anything to the agent anyway.
    static func isOwnerOrRoot(_ user: uid_t) -> Bool { user == geteuid() || user == 0 }

    func handlerAdded(context: ChannelHandlerContext) {
        let user = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable(
            of: NIOBSDSocket.Handle.self,
            Self.user(of:)
        )
        if let user, let user {
            isAdmitted = admits(user)
            if !isAdmitted { logger.warning("a connection of another user was refused", metadata: ["uid": "\(user)"]) }
        } else {
            logger.warning("a connection was refused because the system does not tell whose it is")
        }
        if context.channel.isActive, !isAdmitted { context.close(promise: nil) }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if !isAdmitted { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isAdmitted { context.fireChannelRead(data) }
    }

    /// The user that connected, as the kernel noted it at that moment.
    private static func user(of descriptor: NIOBSDSocket.Handle) -> uid_t? {
        #if os(Linux) || os(Android)
            // This is `struct ucred` of unix(7), which the headers declare only with _GNU_SOURCE.
            var credentials = (pid: pid_t(0), uid: uid_t.max, gid: gid_t.max)
            var size = socklen_t(MemoryLayout.size(ofValue: credentials))
            let outcome = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
            guard outcome == 0, Int(size) == MemoryLayout.size(ofValue: credentials) else { return nil }
            return credentials.uid == uid_t.max ? nil : credentials.uid
        #else
            var user = uid_t.max
            var group = gid_t.max
            return getpeereid(descriptor, &user, &group) == 0 ? user : nil
        #endif
    }
}
