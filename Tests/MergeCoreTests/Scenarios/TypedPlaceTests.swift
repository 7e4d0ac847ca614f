import LosslessJSON
import Testing

@testable import MergeCore

/// A place of a keyed element, as a person types it: by position, by its key as it is printed, or as a shell leaves that.
@Suite struct TypedPlaceTests {
    private let save = document(#"{"crew":[{"id":"oak","xp":1},{"id":5,"xp":2},{"id":"7","xp":3}]}"#)
    private let keyed = rules(["/crew[id]/xp": .init(.counter)])

    @Test(arguments: [
        ("/crew/0/xp", #"/crew/["oak"]/xp"#), (#"/crew/["oak"]/xp"#, #"/crew/["oak"]/xp"#),
        ("/crew/[oak]/xp", #"/crew/["oak"]/xp"#), ("/crew/[5]/xp", "/crew/[5]/xp"),
        // The key is the text "7", of which a shell took the quotes.
        ("/crew/[7]/xp", #"/crew/["7"]/xp"#), (#"/crew/["5"]/xp"#, #"/crew/["5"]/xp"#),
        // What is not there is named as it was typed.
        ("/crew/[elm]/xp", #"/crew/["elm"]/xp"#), ("/crew/[8]/xp", "/crew/[8]/xp"),
    ])
    func isFoundAsItIsTyped(_ typed: String, _ place: String) throws {
        let path = DocumentPath(try JSONPointer(parsing: typed), in: save, rules: keyed)
        #expect(path?.description == place)
    }

    @Test(arguments: ["/crew/oak/xp", "/crew/9/xp", "/crew/[{}]/xp", "/crew/[]/xp"])
    func otherWordsNameNoElement(_ typed: String) throws {
        #expect(DocumentPath(try JSONPointer(parsing: typed), in: save, rules: keyed) == nil)
    }
}
