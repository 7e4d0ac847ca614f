/// Every request that the agent knows. A request that is added to the agent is added here.
package enum RequestTable {
    private static let own: [any AgentRequest.Type] = [
        AcceptRequest.self, AckRequest.self, AddRequest.self, BackupsRequest.self, ChangeRulesRequest.self,
        ConflictsRequest.self, DevicesRequest.self, DoctorRequest.self, EndPlayRequest.self, ExplainRequest.self,
        ExportDocumentRequest.self, ExportRequest.self, FollowRequest.self, ForgetRequest.self, HistoryRequest.self,
        ImportDocumentRequest.self, ImportTransferRequest.self, JoinRequest.self, KeepRequest.self, LogRequest.self,
        MigrateRequest.self, MoveRequest.self, PageRequest.self, PairRequest.self, PauseRequest.self,
        PinBackupRequest.self, PlayRequest.self, PullRequest.self, RemoveRequest.self, RenameRequest.self,
        ResetRequest.self, ResolveRequest.self, RestoreBackupRequest.self, RestoreManyRequest.self, RestoreRequest.self,
        ResumeRequest.self,
        RulesRequest.self, ShowRequest.self, StatusRequest.self, SubscribeRequest.self, SummaryRequest.self,
        SyncRequest.self, UndoRequest.self, UnpairRequest.self,
    ]

    /// All requests: those of the list, and a preview of each that can be previewed.
    package static let all = own + own.compactMap { ($0 as? any PreviewableRequest.Type).map { preview(of: $0) } }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The request of a name; `nil` where there is none.
    package static func type(named name: String) -> (any AgentRequest.Type)? { byName[name] }

    private static func preview<Request: PreviewableRequest>(of type: Request.Type) -> any AgentRequest.Type {
        PreviewRequest<Request>.self
    }
}
