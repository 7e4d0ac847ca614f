import MergeCore
import ProfileKeeping

extension HouseholdAgent {
    /// The file of an import, and when it was last changed; `nil` where nothing is at the path. Of bytes that came with
    /// the request nobody says when they were changed, so they count as of now.
    func content(
        _ path: String?, _ data: Base64Bytes?, limit: Int, now: Moment
    ) throws(StorageFault) -> (bytes: [UInt8], modified: WallTime)? {
        if let data { return (data.bytes, now.wall) }
        guard let path, let content = try engine.files.read(path, limit: limit) else { return nil }
        return (content.bytes, content.modified)
    }
}
