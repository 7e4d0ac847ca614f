import Testing

@testable import HTTPInterface

/// What a client of the event stream is given, whenever it comes and wherever it was.
@Suite struct EventLogTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func log(_ count: Int) -> EventLog {
        var log = EventLog(tag: "t")
        for number in 0..<count { log.append(Array("{\"n\":\(number + 1)}".utf8)) }
        return log
    }

    @Test func aNewClientBeginsWithTheNewestChange() {
        var log = log(3)
        var cursor = log.cursor(after: nil)
        #expect(text(log.news(&cursor)) == "id: t-3\nevent: changed\ndata: {\"n\":3}\n\n")
        #expect(log.news(&cursor).isEmpty)
        log.append(Array("{}".utf8))
        #expect(text(log.news(&cursor)) == "id: t-4\nevent: changed\ndata: {}\n\n")
    }

    @Test func aClientBeforeTheFirstChangeMissesNothing() {
        var log = EventLog(tag: "t")
        var cursor = log.cursor(after: nil)
        #expect(log.news(&cursor).isEmpty)
        log.append(Array("{}".utf8))
        log.append(Array("{}".utf8))
        #expect(text(log.news(&cursor)).contains("id: t-1\n"))
        #expect(log.news(&cursor).isEmpty)
    }

    @Test func aClientThatComesBackGoesOnWhereItWas() {
        let log = log(5)
        var cursor = log.cursor(after: "t-2")
        let ids = text(log.news(&cursor)).split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(ids == ["id: t-3", "id: t-4", "id: t-5"])
        var present = log.cursor(after: "t-5")
        #expect(log.news(&present).isEmpty)
    }

    @Test(arguments: ["u-3", "t-6", "t-", "t", "-3", "", "t-3-1", "t-x", "t--1", "3", "t-18446744073709551616"])
    func anIDThatMeansNothingHereBeginsAgain(_ id: String) {
        let log = log(5)
        var cursor = log.cursor(after: id)
        #expect(text(log.news(&cursor)) == "id: t-5\nevent: reset\ndata: {\"n\":5}\n\n")
        #expect(log.news(&cursor).isEmpty)
    }

    @Test func whoReadsTooSlowlyBeginsAgain() {
        var log = log(1)
        var cursor = log.cursor(after: "t-1")
        for _ in 0...EventLog.countLimit { log.append(Array("{}".utf8)) }
        let news = text(log.news(&cursor))
        #expect(news.hasPrefix("id: t-\(EventLog.countLimit + 2)\nevent: reset\n"))
        #expect(news.split(separator: "\n").count == 3)
    }

    @Test func itsBytesAreBoundedAndTheNewestIsKept() {
        var log = log(3)
        let large = [UInt8](repeating: UInt8(ascii: "1"), count: EventLog.byteLimit + 1)
        log.append(large)
        var cursor = log.cursor(after: "t-3")
        #expect(log.news(&cursor).count > EventLog.byteLimit)
        var earlier = log.cursor(after: "t-1")
        #expect(text(log.news(&earlier)).contains("event: reset\n"))
    }
}
