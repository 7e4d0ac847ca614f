import ControlInterface
import HouseholdAgent

/// Requests as a client writes them.
enum Coding {
    static func bytes(_ request: some AgentRequest) throws -> [UInt8] { try ControlCoding.bytes(request) }

    /// The request with paths that are absolute and names that are not empty, as the agent wants them.
    static func valid<Request: AgentRequest>(_ request: Request) -> Request {
        func set<Value>(_ change: (inout Value) -> Void) -> Request? {
            guard var value = request as? Value else { return nil }
            change(&value)
            return value as? Request
        }
        let changed: Request? =
            switch request {
            case is AddRequest: set { (request: inout AddRequest) in request.path = "/s" }
            case is SubscribeRequest: set { (request: inout SubscribeRequest) in request.path = "/s" }
            case is MoveRequest: set { (request: inout MoveRequest) in request.path = "/s" }
            case is RestoreRequest: set { (request: inout RestoreRequest) in request.path = "/s" }
            case is PreviewRequest<RestoreRequest>:
                set { (request: inout PreviewRequest<RestoreRequest>) in request.previewed.path = "/s" }
            case is RestoreManyRequest:
                set { (request: inout RestoreManyRequest) in (request.profiles, request.folder) = (nil, "/s") }
            case is ImportDocumentRequest:
                set { (request: inout ImportDocumentRequest) in (request.path, request.data) = ("/s", nil) }
            case is ImportTransferRequest:
                set { (request: inout ImportTransferRequest) in
                    (request.path, request.data, request.to) = ("/s", nil, "/t")
                }
            case is RenameRequest: set { (request: inout RenameRequest) in request.to = "n" }
            default: nil
            }
        return changed ?? request
    }
}
