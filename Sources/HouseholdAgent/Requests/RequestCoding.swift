import LosslessJSON
public import MergeCore

// How parameters of other modules are written in requests: each as one text or number.

extension RuleSet: Codable {
    /// Reads the rules from their JSON text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        do {
            try self.init(json: JSONValue(parsing: Array(text.utf8)))
        } catch {
            throw MemberFault(decoder, "cannot be used: \(error)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: json.jsonBytes, as: UTF8.self))
    }
}

extension ProfileID: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = ProfileID(hex: text) else { throw MemberFault(decoder, "is no UUID") }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension WallTime: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension PeerAddress: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let address = PeerAddress(parsing: text) else {
            throw MemberFault(decoder, "is no \"host:port\" or \"[IPv6 address]:port\"")
        }
        self = address
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension PlayMark: Codable {
    private enum Key: CodingKey { case token, process, processStart }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let token = try container.decode(String.self, forKey: .token)
        let client = try container.decode(Int32.self, forKey: .process)
        let start = try container.decode(Int64.self, forKey: .processStart)
        guard let mark = PlayMark(token: token, client: client, clientStart: start) else {
            throw MemberFault(decoder, "has a token of other than 1 to \(PlayMark.tokenLimit) hexadecimal digits")
        }
        self = mark
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(token, forKey: .token)
        try container.encode(client, forKey: .process)
        try container.encode(clientStart, forKey: .processStart)
    }
}

extension MemberFault {
    /// The fault of the member that is being read.
    fileprivate init(_ decoder: any Decoder, _ message: String) {
        self.init(member: decoder.codingPath.map(\.stringValue).joined(separator: "."), message: message)
    }
}
