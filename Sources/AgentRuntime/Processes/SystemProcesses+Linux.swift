#if canImport(Glibc)
    import DiskStore
    import LocalFiles

    extension SystemProcesses {
        static func processes() -> [Found] {
            let own = UserProcesses.executable(nil)
            return ProcessFiles.ids().compactMap { id in
                let program = UserProcesses.executable(id)
                guard program == nil || program != own else { return nil }
                let words = UserProcesses.words(id, limit: UserProcesses.wordLimit)
                guard program != nil || !words.isEmpty else { return nil }
                return Found(names: UserProcesses.names(executable: program, words: words)) {
                    UserProcesses.isOurs(id) ? UserProcesses.start(id) : nil
                }
            }
        }
    }
#endif
