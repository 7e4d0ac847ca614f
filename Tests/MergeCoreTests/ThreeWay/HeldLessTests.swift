import LosslessJSON
import MergeCore
import Testing

/// A side that holds less than the ancestor: it is taken as between devices.
@Suite struct HeldLessTests {
    private let rules = MergeCoreTests.rules([
        "/level": .init(.max), "/best": .init(.max), "/coins": .init(.counter), "/kills": .init(.counter),
    ])
    private let base = #"{"level":3,"best":90,"coins":500,"kills":7,"theme":"dark"}"#

    private func merge(_ a: String, _ b: String) throws -> ThreeWayMerge {
        try ThreeWayMerge(
            a: .init(document(a), time: 1_000), b: .init(document(b), time: 2_000),
            base: .init(document(base), time: 0),
            rules: rules)
    }

    @Test func anOlderStateOnEitherSideIsAQuestionAndLosesNothing() throws {
        let old = #"{"level":1,"best":95,"coins":0,"kills":0,"theme":""}"#
        let other = #"{"level":4,"best":90,"coins":520,"kills":8,"theme":"light"}"#
        let expected = json(#"{"level":4,"best":95,"coins":520,"kills":8,"theme":"light"}"#)
        for (a, b, side) in [(old, other, ThreeWayMerge.Question.Side.a), (other, old, .b)] {
            let merged = try merge(a, b)
            #expect(json(text(merged.bytes)) == expected)
            #expect(merged.questions.map(\.side) == [side])
            #expect(merged.questions.map(\.doubt) == [.mostlyGone])
        }
        let both = try merge(old, old)
        #expect(json(text(both.bytes)) == json(#"{"level":3,"best":95,"coins":500,"kills":7,"theme":"dark"}"#))
        #expect(both.questions.count == 2)
    }

    @Test func aNewListOfASaveThatIsAQuestionStandsInItsOrder() throws {
        let rules = MergeCoreTests.rules(["/level": .init(.max), "/tags": .init(.union)])
        let old = #"{"level":0,"best":0,"coins":0,"kills":0,"theme":"","tags":["tide","mill","a b"]}"#
        let merged = try ThreeWayMerge(
            a: .init(document(base), time: 1_000), b: .init(document(old), time: 2_000),
            base: .init(document(base), time: 0), rules: rules)
        #expect(merged.questions.count == 1)
        #expect(text(merged.bytes) == base.dropLast() + #","tags":["tide","mill","a b"]}"#)
    }

    /// A lowered place is no gain: it does not bring an element back that the other side removed.
    @Test func whatOnlyLostInsideAnElementKeepsItNotWhereTheOtherSideRemovedIt() throws {
        let rules = MergeCoreTests.rules(["/pets[id]/best": .init(.max), "/level": .init(.max)])
        func save(_ pets: String, _ level: Int) -> String { "{\"level\":\(level),\"pets\":[\(pets)]}" }
        let (first, second) = (#"{"id":"a","town":"x"}"#, #"{"id":"b","town":"x","best":9}"#)
        let lower = #"{"id":"b","town":"y","best":5}"#
        func merge(_ a: String, _ b: String) throws -> ThreeWayMerge {
            try ThreeWayMerge(
                a: .init(document(a), time: 1_000), b: .init(document(b), time: 2_000),
                base: .init(document(save("\(first),\(second)", 3)), time: 0), rules: rules)
        }
        let (lost, removed) = (save("\(first),\(lower)", 3), save(first, 4))
        for merged in [try merge(lost, removed), try merge(removed, lost)] {
            #expect(json(text(merged.bytes)) == json(removed), "\(text(merged.bytes))")
            #expect(merged.questions.map(\.doubt) == [.onlyLost])
        }
        // What stands for nothing is not lowered by a value.
        let none = MergeCoreTests.rules(["/pets[id]/best": .init(.min, none: [0]), "/level": .init(.max)])
        let merged = try ThreeWayMerge(
            a: .init(document(save(#"{"id":"a"},{"id":"b","best":303}"#, 3)), time: 1_000),
            b: .init(document(save(#"{"id":"a","best":51},{"id":"b","best":0}"#, 3)), time: 2_000),
            base: .init(document(save(#"{"id":"a","best":51},{"id":"b","best":0}"#, 3)), time: 0), rules: none)
        #expect(text(merged.bytes).contains(#""best":303"#), "\(text(merged.bytes))")
        // A gain keeps it.
        let gained = save("\(first),\(#"{"id":"b","town":"x","best":12}"#)", 2)
        for merged in [try merge(gained, removed), try merge(removed, gained)] {
            #expect(text(merged.bytes).contains(#""best":12"#), "\(text(merged.bytes))")
        }
    }

    @Test func oneLoweredPlaceBesidePlayIsNamedAndNoQuestion() throws {
        let played = #"{"level":4,"best":80,"coins":420,"kills":9,"theme":"light"}"#
        for (a, b) in [(played, base), (base, played)] {
            let merged = try merge(a, b)
            #expect(merged.questions.isEmpty)
            #expect(merged.lowered.map(\.words) == ["/best from 90 to 80"])
            #expect(
                json(text(merged.bytes)) == json(#"{"level":4,"best":90,"coins":420,"kills":9,"theme":"light"}"#))
        }
    }

    @Test func oneLoweredPlaceAloneIsAQuestion() throws {
        let lowered = #"{"level":3,"best":80,"coins":500,"kills":7,"theme":"dark"}"#
        let merged = try merge(base, lowered)
        #expect(text(merged.bytes) == base)
        #expect(
            merged.questions.map(\.description) == [
                "B holds less than the base (only lost: /best); of it only gains were taken"
            ])
    }
}
