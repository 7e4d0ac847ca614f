/// Every request that the agent knows. A request that is added to the agent is added here.
package enum RequestTable {
    package static let all: [any AgentRequest.Type] = [
        AcceptRequest.self, AddRequest.self, SubscribeRequest.self, BackupsRequest.self, PullRequest.self,
        ChangeRulesRequest.self, ConflictsRequest.self, DevicesRequest.self, DoctorRequest.self, EndPlayRequest.self,
        ExplainRequest.self,
        ExportDocumentRequest.self, ExportRequest.self, FollowRequest.self, ForgetRequest.self, HistoryRequest.self,
        ImportDocumentRequest.self, ImportTransferRequest.self, JoinRequest.self, KeepRequest.self, LogRequest.self,
        MigrateRequest.self, MoveRequest.self, PageRequest.self, PairRequest.self, PauseRequest.self,
        PinBackupRequest.self,
        PlayRequest.self, PreviewRequest<AcceptRequest>.self, PreviewRequest<KeepRequest>.self,
        PreviewRequest<ResetRequest>.self, PreviewRequest<RestoreBackupRequest>.self,
        PreviewRequest<RestoreRequest>.self, PreviewRequest<UndoRequest>.self, RemoveRequest.self, RenameRequest.self,
        ResetRequest.self, ResolveRequest.self, RestoreBackupRequest.self, RestoreRequest.self, ResumeRequest.self,
        RulesRequest.self, ShowRequest.self, StatusRequest.self, SummaryRequest.self, SyncRequest.self, AckRequest.self,
        UndoRequest.self,
        UnpairRequest.self,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The request of a name; `nil` where there is none.
    package static func type(named name: String) -> (any AgentRequest.Type)? { byName[name] }
}
