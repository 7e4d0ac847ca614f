package import MergeCore

/// Opens the agent's page: it is served from now on, until nobody has used it for a while. The response is a link that
/// a browser can use once.
package struct PageRequest: AgentRequest {
    package static let name = "page"
    package static let needsRunningAgent = true
    package typealias Response = PageLink

    package init() {}

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.afterSettling { $0.act(.openPage(call.id)) }
    }
}

/// A link to the page, for one browser.
package struct PageLink: AgentMessage, Hashable {
    package static let event = "page"

    /// The address. What follows its `#` is a code that works once; a browser sends that part to nobody.
    package var url: String
    /// When the code expires, milliseconds since 1970.
    package var expires: Int64

    package init(url: String, expires: Int64) { (self.url, self.expires) = (url, expires) }
}
