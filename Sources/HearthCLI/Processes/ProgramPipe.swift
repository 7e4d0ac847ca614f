import Libc

/// A pipe from or to another program. No program inherits its ends: one that held an end by accident would keep the pipe
/// open.
struct ProgramPipe {
    let reading: Int32
    let writing: Int32

    init() throws(ProgramStart.Fault) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ProgramStart.Fault(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }
}
