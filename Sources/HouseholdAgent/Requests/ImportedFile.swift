/// Where an import gets its file from.
enum ImportedFile {
    /// The file is at a path of this device, or its bytes came with the request: one of the two.
    static func fault(path: String?, data: Base64Bytes?) -> MemberFault? {
        switch (path, data) {
        case (nil, nil): MemberFault(member: "path", message: "is missing, and so is \"data\": one of them is needed")
        case (.some, .some):
            MemberFault(member: "data", message: "does not go with \"path\": only one of them is taken")
        case (let path?, nil): .unlessAbsolute(path, "path")
        case (nil, .some): nil
        }
    }
}
