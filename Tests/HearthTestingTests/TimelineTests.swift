import HearthKit
import Testing

@testable import HearthTesting

/// Timelines as text and as a picture.
@Suite struct TimelineTests {
    private var timeline: Timeline {
        var timeline = Timeline(devices: ["laptop", "deck"])
        timeline.add(at: 1_020, [0], .step, "plays: /name = \"<Bo> & co\"")
        timeline.add(at: 61_005, [0, 1], .fault, "laptop and deck lose their network")
        timeline.add(at: 61_006, [], .step, "all comes to rest")
        timeline.add(at: 70_000, [1], .finding, "lost")
        return timeline
    }

    @Test func text() {
        #expect(
            timeline.description == """
                    1.020 s  laptop        plays: /name = "<Bo> & co"
                   61.005 s  laptop  deck  laptop and deck lose their network
                   61.006 s                all comes to rest
                   70.000 s          deck  !! lost

                """)
    }

    /// The picture is sound XML, has a lane for each device, and holds no markup of a save's.
    @Test func picture() {
        let svg = timeline.svg
        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains(">laptop</text>") && svg.contains(">deck</text>"))
        #expect(svg.contains("&lt;Bo&gt; &amp; co") && !svg.contains("<Bo>"))
        #expect(svg.filter { $0 == "<" }.count == svg.filter { $0 == ">" }.count)
        #expect(svg == timeline.svg)
    }

    /// Who looks at a run does not change it: neither what happens next nor its digest.
    @Test func lookingChangesNothing() {
        func digest(isLookedAt: Bool) -> UInt64 {
            let home = Household<Hero>(["laptop", "deck"], seed: 9)
            home.laptop.plays { $0.coins += 30 }
            home.wait(.seconds(5))
            if isLookedAt {
                let former = home.digest
                #expect(home.timeline.entries.contains { $0.kind == .reason })
                #expect(home.deck.explanation(of: "/coins")?.contains("30") == true)
                #expect(home.digest == former)
            }
            home.deck.plays { $0.coins += 7 }
            home.laptop.undoes()
            home.settle()
            return home.digest
        }
        #expect(digest(isLookedAt: true) == digest(isLookedAt: false))
    }
}
