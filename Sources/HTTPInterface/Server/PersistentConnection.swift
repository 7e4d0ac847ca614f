import ControlInterface
import NIOCore
import NIOHTTP1

/// A connection that carries one request after the other (HTTP/1.1, RFC 9112, section 9.3): a browser loads the page's two
/// dozen files over the few connections that it opens, instead of over one for each file.
///
/// It goes on after an answer only while the client may be kept (``Exchange``), and for as long as the next request comes
/// soon. Requests that were sent ahead are answered in their order.
struct PersistentConnection: Sendable {
    private let channel: any Channel
    private let limits: PageLimits
    private let exchange: Exchange

    init(_ channel: any Channel, _ limits: PageLimits, _ exchange: Exchange) {
        (self.channel, self.limits, self.exchange) = (channel, limits, exchange)
    }

    @concurrent
    func run(_ inbound: HTTPConnections.Parts, _ outbound: Exchange.Outbound) async throws {
        var parts = inbound.makeAsyncIterator()
        var time = limits.patience
        while true {
            guard let head = try await head(&parts, within: time) else { return }
            time = limits.pause
            guard try await exchange.run(head, &parts, outbound) else { break }
        }
        try await HTTPConnections.sayGoodbye(on: channel, &parts, within: limits.goodbye)
    }

    /// The head of the next request; `nil` where the client says nothing more.
    @concurrent
    private func head(
        _ parts: inout HTTPConnections.Parts.AsyncIterator, within time: TimeAmount
    ) async throws -> HTTPRequestHead? {
        let timer = HTTPConnections.close(channel, after: time)
        defer { timer.cancel() }
        guard case .head(let head)? = try await parts.next() else { return nil }
        return head
    }
}
