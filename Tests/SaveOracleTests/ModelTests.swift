import SaveOracle
import Testing

/// The model itself: it must see what is wrong, and leave in peace what is right.
@Suite struct ModelTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var rules: [(String, Rule)] = []
        var base: String
        var a: String
        var b: String
        /// What stands in A's file then, right and wrong.
        var right: [String]
        var wrong: [String]

        var testDescription: String { "\(base), \(a), \(b)" }
    }

    private static let limited: Rule = {
        var rule = Rule(.union)
        (rule.sort, rule.limit) = ("at", 2)
        return rule
    }()

    static let cases = [
        Case(
            base: #"{"x":1,"y":1}"#,
            a: #"{"x":2,"y":1}"#,
            b: #"{"x":1,"y":3}"#,
            right: [#"{"x":2,"y":3}"#, #"{"y":3,"x":2}"#],
            wrong: [#"{"x":2,"y":1}"#, #"{"x":1,"y":3}"#, #"{"x":2,"y":3,"z":null}"#, #"{"x":2}"#, #"{"x":2,"y":3.0}"#]
        ),
        Case(
            rules: [("/c", Rule(.counter))],
            base: #"{"c":100}"#,
            a: #"{"c":350}"#,
            b: #"{"c":20}"#,
            right: [#"{"c":270}"#, #"{"c":270.0}"#],
            wrong: [#"{"c":350}"#, #"{"c":"270"}"#, "{}", #"{"c":370}"#]
        ),
        Case(
            rules: [("/c", Rule(.counter))],
            base: #"{"c":5}"#,
            a: #"{"c":-7}"#,
            b: #"{"c":5}"#,
            right: [#"{"c":-7}"#],
            wrong: [#"{"c":0}"#]
        ),
        Case(
            rules: [("/c", Rule(.counter))],
            base: #"{"c":10}"#,
            a: #"{"c":2}"#,
            b: #"{"c":3}"#,
            right: [#"{"c":0}"#],
            wrong: [#"{"c":-5}"#, #"{"c":2}"#]
        ),
        Case(
            rules: [("/m", Rule(.max))],
            base: #"{"m":5}"#,
            a: #"{"m":7}"#,
            b: #"{"m":9}"#,
            right: [#"{"m":9}"#],
            wrong: [#"{"m":7}"#, #"{"m":16}"#, #"{"m":9.0}"#]
        ),
        // Spelled in another way on one side, and removed on the other.
        Case(
            rules: [("/o/c", Rule(.counter))],
            base: #"{"o":{"c":7.20},"p":1,"q":2}"#,
            a: #"{"o":{"c":7.2},"p":1,"q":2}"#,
            b: #"{"p":1,"q":2}"#,
            right: [#"{"p":1,"q":2}"#, #"{"o":{"c":7.2},"p":1,"q":2}"#],
            wrong: [#"{"o":{},"p":1,"q":2}"#, #"{"o":{"c":8.2},"p":1,"q":2}"#]
        ),
        Case(
            rules: [("/o/c", Rule(.counter))],
            base: #"{"o":{"c":7.20,"d":1},"p":1,"q":2}"#,
            a: #"{"o":{"c":7.2,"d":2},"p":1,"q":2}"#,
            b: #"{"p":1,"q":2}"#,
            right: [#"{"o":{"c":7.2,"d":2},"p":1,"q":2}"#],
            wrong: [#"{"p":1,"q":2}"#]
        ),
        Case(
            rules: [("/u", Rule(.union))],
            base: #"{"u":[1]}"#,
            a: #"{"u":[1,9,2]}"#,
            b: #"{"u":[1]}"#,
            right: [#"{"u":[1,9,2]}"#],
            wrong: [#"{"u":[1,2,9]}"#, #"{"u":[1]}"#, #"{"u":[1,9,2,2]}"#]
        ),
        Case(
            rules: [("/s", Rule(.set))],
            base: #"{"s":[1,2,3]}"#,
            a: #"{"s":[1,3]}"#,
            b: #"{"s":[1,2,3,4]}"#,
            right: [#"{"s":[1,3,4]}"#],
            wrong: [#"{"s":[1,2,3,4]}"#, #"{"s":[4,1,3]}"#, #"{"s":[3,1,4]}"#, #"{"s":[1,4]}"#]
        ),
        Case(
            rules: [("/i[id]/n", Rule(.counter))],
            base: #"{"i":[{"id":1,"n":5},{"id":2,"n":1}]}"#,
            a: #"{"i":[{"id":2,"n":1}]}"#,
            b: #"{"i":[{"id":1,"n":5},{"id":2,"n":4}]}"#,
            right: [#"{"i":[{"id":2,"n":4}]}"#],
            wrong: [#"{"i":[{"id":1,"n":0},{"id":2,"n":4}]}"#, #"{"i":[{"id":1},{"id":2,"n":4}]}"#]
        ),
        Case(
            rules: [("/i[id]/n", Rule(.counter))],
            base: #"{"i":[{"id":1,"n":5,"t":"a"}]}"#,
            a: #"{"i":[]}"#,
            b: #"{"i":[{"id":1,"n":5,"t":"b"}]}"#,
            right: [#"{"i":[{"id":1,"n":5,"t":"b"}]}"#],
            wrong: [#"{"i":[]}"#, #"{"i":[{"id":1,"t":"b"}]}"#, #"{"i":[{"id":1,"n":0,"t":"b"}]}"#]
        ),
        // What a rule puts back is no change: the removal of the other stands.
        Case(
            rules: [("/i[id]/best", Rule(.max)), ("/w", Rule(.union))],
            base: #"{"i":[{"id":1,"best":3},{"id":2,"best":1}],"w":[]}"#,
            a: #"{"i":[{"id":2,"best":1}],"w":[]}"#,
            b: #"{"i":[{"id":1,"best":2},{"id":2,"best":1}],"w":[8,9]}"#,
            right: [#"{"i":[{"id":2,"best":1}],"w":[8,9]}"#],
            wrong: [#"{"i":[{"id":1,"best":3},{"id":2,"best":1}],"w":[8,9]}"#]
        ),
        Case(
            rules: [("/o/*/best", Rule(.max)), ("/w", Rule(.union))],
            base: #"{"o":{"p":{"best":3},"q":{"best":1}},"w":[]}"#,
            a: #"{"o":{"q":{"best":1}},"w":[]}"#,
            b: #"{"o":{"p":{"best":2},"q":{"best":1}},"w":[8,9]}"#,
            right: [#"{"o":{"q":{"best":1}},"w":[8,9]}"#],
            wrong: [#"{"o":{"p":{"best":3},"q":{"best":1}},"w":[8,9]}"#]
        ),
        // Both arranged one list. A moved 1 behind 3, or 2 and 3 before it; B moved 4 to the front.
        Case(
            rules: [("/s", Rule(.set))],
            base: #"{"s":[1,2,3,4]}"#,
            a: #"{"s":[2,3,1,4]}"#,
            b: #"{"s":[4,1,2,3]}"#,
            right: [#"{"s":[4,2,3,1]}"#],
            wrong: [#"{"s":[1,2,3,4]}"#, #"{"s":[2,3,1,4]}"#, #"{"s":[4,1,2,3]}"#, #"{"s":[4,3,2,1]}"#]
        ),
        // Who moved which of two that changed places nobody can tell; what both moved stands as the later one has it.
        Case(
            rules: [("/s", Rule(.set))],
            base: #"{"s":[1,2,3]}"#,
            a: #"{"s":[2,1,3]}"#,
            b: #"{"s":[1,3,2]}"#,
            right: [#"{"s":[2,1,3]}"#, #"{"s":[1,3,2]}"#, #"{"s":[3,2,1]}"#],
            wrong: [#"{"s":[1,2,3]}"#, #"{"s":[2,3,1]}"#, #"{"s":[3,1,2]}"#]
        ),
        Case(
            rules: [("/s", Rule(.set))],
            base: #"{"s":[1,2,3,4,5]}"#,
            a: #"{"s":[2,3,4,5,1]}"#,
            b: #"{"s":[2,3,1,4,5]}"#,
            right: [#"{"s":[2,3,1,4,5]}"#],
            wrong: [#"{"s":[2,3,4,5,1]}"#, #"{"s":[1,2,3,4,5]}"#]
        ),
        // What a limit leaves out is not lost.
        Case(
            rules: [("/u", limited)],
            base: #"{"u":[{"at":2},{"at":1}],"d":1}"#,
            a: #"{"u":[{"at":3},{"at":2}],"d":1}"#,
            b: #"{"u":[{"at":2},{"at":1}],"d":2}"#,
            right: [#"{"u":[{"at":3},{"at":2}],"d":2}"#],
            wrong: [#"{"u":[{"at":2},{"at":1}],"d":2}"#, #"{"u":[{"at":3},{"at":2},{"at":1}],"d":2}"#]
        ),
        Case(
            rules: [("/l/*/best", Rule(.max))],
            base: #"{"l":[{"best":1},{"best":2}]}"#,
            a: #"{"l":[{"best":4},{"best":2}]}"#,
            b: #"{"l":[{"best":1},{"best":2},{"best":0}]}"#,
            right: [#"{"l":[{"best":4},{"best":2},{"best":0}]}"#],
            wrong: [
                #"{"l":[{"best":4},{"best":2}]}"#, #"{"l":[{"best":4},null,{"best":0}]}"#,
                #"{"l":[{"best":4},{"best":2},{}]}"#,
            ]
        ),
        Case(
            rules: [("/o", Rule(.local))],
            base: #"{"o":1}"#,
            a: #"{"o":2}"#,
            b: #"{"o":3}"#,
            right: [#"{"o":2}"#],
            wrong: [#"{"o":3}"#, "{}"]
        ),
    ]

    @Test(arguments: cases) func rightAndWrong(_ item: Case) throws {
        let rules = RuleTable(item.rules.map { (Self.pattern($0.0), $0.1) })
        let (base, a, b) = (try #require(JSON(item.base)), try #require(JSON(item.a)), try #require(JSON(item.b)))
        let merge = MergeCase(rules: rules, base: base, a: a, b: b, timeA: 2, timeB: 3)
        let asked = Set([0, 1].filter { merge.meanings[$0].isQuestion })
        for text in item.right {
            #expect(merge.findings(try #require(JSON(text)), own: 0, asked: asked).isEmpty, "\(text)")
        }
        for text in item.wrong {
            #expect(!merge.findings(try #require(JSON(text)), own: 0, asked: asked).isEmpty, "\(text)")
        }
    }

    /// `/a/*/b[c]/d` as a pattern.
    private static func pattern(_ text: String) -> Pattern {
        Pattern(
            text.split(separator: "/").flatMap { step -> [Pattern.Step] in
                if step == "*" { return [.any] }
                if step == "**" { return [.deep] }
                let parts = step.dropLast(step.hasSuffix("]") ? 1 : 0).split(separator: "[").map(String.init)
                return [.name(parts[0])] + parts.dropFirst().map { .keyed($0) }
            }
        )
    }

    /// A session of several saves: what only grows holds the best of all, a container that goes in the last one comes
    /// back as it stood before that, and who once wrote what another shows of an open choice stands in its place.
    @Test(arguments: [
        ("/m", Rule(.max), #"{"m":5}"#, [#"{"m":9}"#], #"{"m":3}"#, #"{"m":5}"#, #"{"m":9}"#, #"{"m":5}"#),
        (
            "/u", Rule(.union), #"{"u":[1]}"#, [#"{"u":[1,2]}"#], #"{"u":[1]}"#, #"{"u":[1]}"#, #"{"u":[1,2]}"#,
            #"{"u":[1]}"#
        ),
        (
            "/o/*/n", Rule(.counter), #"{"o":{"p":{"n":5}}}"#, [#"{"o":{"p":{"n":7}}}"#], #"{"o":{}}"#,
            #"{"o":{"p":{"n":6}}}"#, #"{"o":{"p":{"n":8}}}"#, #"{"o":{"p":{"n":7}}}"#
        ),
        ("/f", Rule(.flag), #"{"f":false}"#, [#"{"f":true}"#], #"{"f":false}"#, #"{"f":false}"#, #"{"f":true}"#, "{}"),
        (
            "/l/*", Rule(.max), #"{"l":[]}"#, [#"{"l":[4]}"#], #"{"l":[]}"#, #"{"l":[]}"#, #"{"l":[4]}"#,
            #"{"l":[4,4]}"#
        ),
        // What went before the last save stays gone: nothing of it is as it stood then.
        (
            "/m", Rule(.max), #"{"m":5}"#, [#"{"m":9}"#, "{}"], #"{"m":6}"#, #"{"m":5}"#, #"{"m":6}"#, #"{"m":9}"#
        ),
        // Nor does what it began with count then.
        (
            "/m", Rule(.max), #"{"m":5}"#, ["{}"], #"{"m":3}"#, #"{"m":5}"#, #"{"m":3}"#, #"{"m":4}"#
        ),
        (
            "/l[id]/u", Rule(.union), #"{"l":[{"id":1,"u":[7]}]}"#, [#"{"l":[]}"#], #"{"l":[{"id":1,"u":[]}]}"#,
            #"{"l":[{"id":1,"u":[7]}]}"#, #"{"l":[{"id":1,"u":[]}]}"#, #"{"l":[{"id":1,"u":[8]}]}"#
        ),
        // A counter that one side raised and spent again was edited, though its last save says nothing of it.
        (
            "/n/*", Rule(.counter), #"{"n":{"a":8}}"#, [#"{"n":{"a":9}}"#], #"{"n":{"a":8}}"#, #"{"n":{}}"#,
            #"{"n":{"a":0}}"#, #"{"n":{"a":1}}"#
        ),
        // Where a side wrote a container anew that it had removed, all that others wrote in it stands beside that, and
        // not what there was; where it removed what is inside alone, that comes back whole.
        (
            "/x/*/n", Rule(.counter), #"{"x":{"a":{"n":5,"s":[]},"b":{"n":3}}}"#, ["{}"], #"{"x":{}}"#,
            #"{"x":{"a":{"n":5,"s":[27]},"b":{"n":3}}}"#, #"{"x":{"a":{"s":[27]}}}"#, #"{"x":{}}"#
        ),
        (
            "/x/*/n", Rule(.counter), #"{"x":{"a":{"n":5,"s":[]},"b":{"n":3}}}"#, ["{}"], #"{"x":{}}"#,
            #"{"x":{"a":{"n":5,"s":[27]},"b":{"n":3}}}"#, #"{"x":{"a":{"s":[27]}}}"#, #"{"x":{"a":{"s":[]}}}"#
        ),
        (
            "/x/*/n", Rule(.counter), #"{"x":{"a":{"n":5,"s":[]},"b":{"n":3}}}"#, ["{}"], #"{"x":{"c":1}}"#,
            #"{"x":{"a":{"n":5,"s":[27]},"b":{"n":3}}}"#, #"{"x":{"a":{"s":[27]},"c":1}}"#, #"{"x":{"a":{"s":[27]}}}"#
        ),
        (
            "/x/*/n", Rule(.counter), #"{"x":{"a":{"n":5,"s":[]},"b":{"n":3}}}"#, [#"{"x":{"b":{"n":3}}}"#],
            #"{"x":{}}"#, #"{"x":{"a":{"n":5,"s":[27]},"b":{"n":3}}}"#, #"{"x":{"a":{"n":5,"s":[27]}}}"#,
            #"{"x":{"a":{"s":[27]}}}"#
        ),
        (
            "/x/*/n", Rule(.counter), #"{"x":{"a":{"n":5,"s":[]},"b":{"n":3}}}"#, [], #"{"x":{}}"#,
            #"{"x":{"a":{"n":5,"s":[27]},"b":{"n":3}}}"#, #"{"x":{"a":{"n":5,"s":[27]}}}"#, #"{"x":{"a":{"s":[27]}}}"#
        ),
        // What one side moved and then removed comes back where it had put it, and not anywhere.
        (
            "/l[id]/n", Rule(.latest), #"{"l":[{"id":1},{"id":2},{"id":3}]}"#, [#"{"l":[{"id":3},{"id":2},{"id":1}]}"#],
            #"{"l":[{"id":3},{"id":2}]}"#, #"{"l":[{"id":1,"n":5},{"id":2},{"id":3}]}"#,
            #"{"l":[{"id":3},{"id":2},{"id":1,"n":5}]}"#, #"{"l":[{"id":2},{"id":1,"n":5},{"id":3}]}"#
        ),
        // Each save moves what it moves: 5 stayed, 3 and 2 went behind it, and 1 behind 3 in the last one.
        (
            "/l[id]/n", Rule(.latest), #"{"l":[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]}"#,
            [#"{"l":[{"id":1},{"id":4},{"id":5},{"id":3},{"id":2}]}"#],
            #"{"l":[{"id":4},{"id":3},{"id":1},{"id":2}]}"#,
            #"{"l":[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5,"n":5},{"id":6}]}"#,
            #"{"l":[{"id":4},{"id":5,"n":5},{"id":6},{"id":3},{"id":1},{"id":2}]}"#,
            #"{"l":[{"id":4},{"id":6},{"id":5,"n":5},{"id":3},{"id":1},{"id":2}]}"#
        ),
    ])
    func savesInBetween(
        _ pattern: String, _ rule: Rule, _ base: String, _ between: [String], _ a: String, _ b: String,
        _ right: String, _ wrong: String
    ) throws {
        for (found, isRight) in [(right, true), (wrong, false)] {
            var judge = Judge(rules: RuleTable([(Self.pattern(pattern), rule)]), own: 1) { side, _ in side }
            let start = JSON(base)
            judge.judge(
                bases: [start, start], sides: [JSON(a), JSON(b)],
                between: [between.map { JSON($0) }, []], found: JSON(found))
            #expect(judge.findings.isEmpty == isRight, "\(found): \(judge.findings)")
        }
    }

    @Test func anOpenChoiceIsTakenOverByWhoOnceWroteItsValue() throws {
        let rules = RuleTable([(Self.pattern("/c"), Rule(.choice))])
        func findings(_ between: [JSON?], _ found: String) throws -> [Finding] {
            let bases = [JSON(#"{"c":"x"}"#), JSON(#"{"c":"y"}"#)]
            var judge = Judge(rules: rules, own: 1) { side, _ in side }
            judge.judge(
                bases: bases, sides: [JSON(#"{"c":"z"}"#), bases[1]], between: [between, []],
                found: JSON(found))
            return judge.findings
        }
        let same = JSON(#"{"c":"y"}"#)
        #expect(try findings([same], #"{"c":"z"}"#).isEmpty)
        #expect(try findings([same], #"{"c":"y"}"#).isEmpty)
        #expect(try !findings([], #"{"c":"z"}"#).isEmpty)
    }

    /// Who wrote another value and then the first one again wrote that one: beside what another device wrote, it is its own.
    @Test(arguments: [0, 1, 2]) func aValueThatIsWrittenAgainIsAnOwnOne(own: Int) throws {
        let rules = RuleTable([(Self.pattern("/c"), Rule(.choice))])
        let (x, y, z) = (JSON(#"{"c":"x"}"#), JSON(#"{"c":"y"}"#), JSON(#"{"c":"z"}"#))
        func isRight(_ found: JSON?, between: [JSON?], _ side: JSON?) -> Bool {
            var judge = Judge(rules: rules, own: own) { side, _ in side }
            judge.judge(bases: [x, x, x], sides: [x, side, x], between: [between, [], []], found: found)
            return judge.findings.isEmpty
        }
        #expect([x, z].map { isRight($0, between: [y], z) } == [own != 1, own != 0])
        #expect([x, z].map { isRight($0, between: [], z) } == [false, true])
        // Where nobody else wrote, and for a value that nobody holds, nothing is open.
        #expect([x, y].map { isRight($0, between: [y], x) } == [true, false])
        #expect(!isRight(y, between: [y], z))
    }

    /// What a side did to an open choice is told by what its own file showed there, though another file shows already what
    /// it wrote: that is an edit, and what the choice is in is not gone.
    @Test func anOpenChoiceIsEditedAgainstItsOwnFile() throws {
        let rules = RuleTable([(Self.pattern("/l[id]/c"), Rule(.choice))])
        func isRight(_ found: String, otherBegan: String) -> Bool {
            let bases = [#"{"l":[{"id":1,"c":"x"}]}"#, otherBegan].map { JSON($0) }
            var judge = Judge(rules: rules, own: 0) { side, _ in side }
            judge.judge(
                bases: bases, sides: [JSON(#"{"l":[]}"#), JSON(#"{"l":[{"id":1,"c":"x"}]}"#)], found: JSON(found))
            return judge.findings.isEmpty
        }
        let (whole, gone) = (#"{"l":[{"id":1,"c":"x"}]}"#, #"{"l":[]}"#)
        #expect([whole, gone].map { isRight($0, otherBegan: #"{"l":[{"id":1,"c":"y"}]}"#) } == [true, false])
        #expect([whole, gone].map { isRight($0, otherBegan: whole) } == [false, true])
    }

    /// While a save is asked about that lacks a container, an open choice in it stands in each file as it did there.
    @Test func anOpenChoiceIsEachOnesOwnWhileASaveIsAskedAbout() throws {
        let rules = RuleTable([(Self.pattern("/o/c"), Rule(.choice))])
        func isRight(_ found: String, isOwn: Bool, isOpen: Bool = false) throws -> Bool {
            let base = try #require(JSON(#"{"o":{"c":"x","n":1}}"#))
            return StandingQuestion(
                rules: rules, known: KnownPlaces(), base: base, save: .object([]), found: JSON(found), isOwn: isOwn,
                open: isOpen ? ["/o/c"] : []
            ).findings.isEmpty
        }
        #expect(try isRight(#"{"o":{"c":"y","n":1}}"#, isOwn: false))
        #expect(try !isRight(#"{"o":{"c":"y","n":1}}"#, isOwn: true))
        #expect(try isRight(#"{"o":{"c":"y","n":1}}"#, isOwn: true, isOpen: true))
        #expect(try !isRight(#"{"o":{"c":"y","n":2}}"#, isOwn: false))
        #expect(try !isRight(#"{"o":{"c":"y","n":2}}"#, isOwn: true, isOpen: true))
    }

    /// What a reset puts aside is play: a list that was turned round is none, and one with other elements is.
    @Test func anOrderAloneIsNoPlay() throws {
        let rules = RuleTable([
            (Self.pattern("/s"), Rule(.set)), (Self.pattern("/k[id]/n"), Rule(.counter)),
            (Self.pattern("/o"), Rule(.local)),
        ])
        let base = try #require(JSON(#"{"s":[1,2],"k":[{"id":1,"n":1},{"id":2,"n":1}],"l":[1,2],"o":1}"#))
        func played(_ save: String) throws -> Set<String> {
            rules.playedMembers(from: base, to: try #require(JSON(save)))
        }
        #expect(try played(#"{"s":[2,1],"k":[{"id":2,"n":1},{"id":1,"n":1}],"l":[1,2],"o":2}"#) == [])
        #expect(
            try played(#"{"s":[2,3],"k":[{"id":2,"n":2},{"id":1,"n":1}],"l":[2,1],"x":1}"#) == ["s", "k", "l", "x"])
        #expect(try played("{}") == ["s", "k", "l"])
    }

    @Test func theMostSpecificRuleCounts() {
        let rules = RuleTable([
            (Self.pattern("/stats/*/*"), Rule(.counter)), (Self.pattern("/stats/a/b"), Rule(.max)),
            (Self.pattern("/**"), Rule(.min)), (Self.pattern("/bag[id]/n"), Rule(.flag)),
        ])
        func merge(_ steps: Place.Step...) -> Rule.Merge {
            rules.rule(at: steps.reduce(Place.root) { $0.appending($1) }).merge
        }
        #expect(merge(.member("stats"), .member("x"), .member("y")) == .counter)
        #expect(merge(.member("stats"), .member("a"), .member("b")) == .max)
        #expect(merge(.member("other")) == .min)
        #expect(merge(.member("bag"), .element("id", "1"), .member("n")) == .flag)
    }

    @Test func numbersAreExact() throws {
        func number(_ text: String) throws -> ExactNumber { try #require(ExactNumber(text)) }
        #expect(try number("1.0") == number("1") && number("1e2") == number("100") && number("-0") == .zero)
        #expect(try number("9e20") < number("1e451546774583606") && number("-5") < number("0.1"))
        #expect(
            try number("123456789012345678901234567890") + number("-0.5") == number("123456789012345678901234567889.5")
        )
        #expect(try number("100") - number("350") == number("-250"))
        for (one, two) in zip(-30...30, (-30...30).reversed()) {
            #expect(ExactNumber(one) + ExactNumber(two * 7) == ExactNumber(one + two * 7))
            #expect((ExactNumber(one) < ExactNumber(two)) == (one < two))
        }
    }

    @Test func datesAreMoments() throws {
        let one = try #require(Moment("2024-05-01T20:00:00+02:00", format: nil))
        #expect(one.seconds == 1_714_586_400)
        #expect(try one < #require(Moment("2024-05-01 19:00:00 Z", format: nil)))
        #expect(Moment("28.02.2024", format: "%d.%m.%Y")?.seconds == 1_709_078_400)
    }

    /// What a game saved was in the profile, though a reset or a restore made apart put it aside at once, so that it
    /// never stood in another file.
    @Test func whatWasSavedAndPutAsideIsKnown() throws {
        var run = try HouseholdRun(seed: 1, kinds: [.oneWriter])
        let file = try #require(run.home.file(0))
        let name = "putAside"
        let place = Place.root.appending(.member(name))
        var round = HouseholdRound(1, .oneWriter, before: run.home.devices.indices.map { run.home.file($0) })
        run.save(file.setting(name, to: .number("1")), from: file, on: 0, &round)
        #expect(!run.known.contains(place), "what is asked about is judged by what was known before")
        run.save(file, from: file, on: 0, &round)
        #expect(run.known.contains(place))
    }

    /// A save that lowers a record and has a word of an older state in which the record was not yet higher: whether its
    /// game had read that state, nobody can tell.
    @Test func aLowerSaveMayFitAnOlderState() throws {
        func fits(_ word: String, record: String) throws -> Bool {
            var run = try HouseholdRun(seed: 1, kinds: [.oneWriter, .lowered])
            let file = try #require(run.home.file(0)).setting("putAside", to: .string("a"))
            let older = file.setting("record", to: .number("5"))
            let newer = older.setting("record", to: .number("9")).setting("putAside", to: .string("b"))
            for state in [older, newer] { run.remember(state) }
            var round = HouseholdRound(1, .asked, before: run.home.devices.indices.map { run.home.file($0) })
            (round.writers, round.bases[0]) = ([0], newer)
            round.after[0] = newer.setting("record", to: .number(record)).setting("putAside", to: .string(word))
            return run.fitsOlderState(0, round)
        }
        #expect(try fits("a", record: "7"))
        #expect(try !fits("b", record: "7"), "nothing of the older state")
        #expect(try !fits("a", record: "9"), "nothing is lowered")
    }

    /// Where two older states are much nearer to the amount in a purse than the newest one, a question is about those.
    @Test func aPurseMayBeNearToOlderStates() throws {
        func isOfOlder(_ amount: Int) throws -> Bool {
            var run = try HouseholdRun(seed: 1, kinds: [.oneWriter, .purse])
            let file = try #require(run.home.file(0))
            func with(_ amount: Int) -> JSON { file.setting("purse", to: .number("\(amount)")) }
            for amount in [20, 30, 82] { run.remember(with(amount)) }
            var round = HouseholdRound(1, .oneWriter, before: run.home.devices.indices.map { run.home.file($0) })
            (round.writers, round.bases[0], round.after[0]) = ([0], with(82), with(amount))
            return run.isPurseOfOlderStates(0, round)
        }
        #expect(try isOfOlder(24))
        #expect(try !isOfOlder(50))
        #expect(try !isOfOlder(80))
    }
}
