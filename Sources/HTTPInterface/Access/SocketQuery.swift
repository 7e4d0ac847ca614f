import Libc

/// Asks Linux whose one connection is (sock_diag(7)). It is found as a packet to it is found, within microseconds however
/// many others there are.
enum SocketQuery {
    /// The owner of the client's end of a connection; `nil` where this system answers no such question.
    static func owner(of client: TCPTable.End, talkingTo server: TCPTable.End) -> TCPTable.Owner? {
        #if os(Linux)
            let descriptor = socket(AF_NETLINK, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), diagnosis)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            let question = question(client, server)
            guard send(descriptor, question, question.count, 0) == question.count else { return nil }
            var answer = [UInt8](repeating: 0, count: 1_024)
            // The kernel has answered by the time that the question is sent.
            let count = recv(descriptor, &answer, answer.count, Int32(MSG_DONTWAIT))
            return count > 0 ? owner(in: Array(answer[..<count]), of: client, talkingTo: server) : nil
        #else
            return nil
        #endif
    }

    /// NETLINK_SOCK_DIAG.
    private static let diagnosis: Int32 = 4
    /// SOCK_DIAG_BY_FAMILY.
    private static let byFamily: UInt16 = 20
    /// NLMSG_ERROR.
    private static let fault: UInt16 = 2

    // MARK: Bytes

    /// `struct nlmsghdr` and `struct inet_diag_req_v2` (linux/netlink.h, linux/inet_diag.h), which Swift's module of the C
    /// library leaves out.
    static func question(_ client: TCPTable.End, _ server: TCPTable.End) -> [UInt8] {
        let family = client.address.count == 4 ? AF_INET : AF_INET6
        let states = UInt32.max
        let body =
            [UInt8(family), UInt8(IPPROTO_TCP), 0, 0] + bytes(states) + ports(client, server) + padded(client.address)
            + padded(server.address) + bytes(UInt32(0)) + anyCookie
        let (request, number, port): (UInt16, UInt32, UInt32) = (1, 1, 0)
        return bytes(UInt32(16 + body.count)) + bytes(byFamily) + bytes(request) + bytes(number) + bytes(port) + body
    }

    /// The owner in an answer: `struct inet_diag_msg`, or `struct nlmsgerr`.
    static func owner(
        in answer: [UInt8], of client: TCPTable.End, talkingTo server: TCPTable.End
    ) -> TCPTable.Owner? {
        guard answer.count >= 20, let type: UInt16 = number(answer, at: 4) else { return nil }
        if type == fault { return number(answer, at: 16) == -ENOENT ? .nobody : nil }
        guard type == byFamily, let user: UInt32 = number(answer, at: 80), let inode: UInt32 = number(answer, at: 84)
        else { return nil }
        // Where there is no such connection, the socket that listens at the port is given. One that its program has closed
        // has inode 0.
        guard Array(answer[20..<24]) == ports(client, server), inode != 0 else { return .nobody }
        return .user(user)
    }

    /// INET_DIAG_NOCOOKIE, twice.
    private static let anyCookie = [UInt8](repeating: 0xFF, count: 8)

    private static func ports(_ client: TCPTable.End, _ server: TCPTable.End) -> [UInt8] {
        [client.port, server.port].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    private static func padded(_ address: [UInt8]) -> [UInt8] {
        address + [UInt8](repeating: 0, count: 16 - address.count)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    private static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at start: Int) -> Number? {
        guard start + MemoryLayout<Number>.size <= bytes.count else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Number.self) }
    }
}
