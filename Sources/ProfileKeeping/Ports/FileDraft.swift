/// The next content of a file, which is written and made durable while a transaction is: both wait for the disk. It lies
/// where no game looks and no start finds it, and is gone where it is not moved.
package protocol FileDraft: AnyObject {
    /// Moves the draft to a name beside `path`'s target, as if it had been staged there. Returns false where it could not
    /// be written, or cannot be moved: then nothing is at that name, and the content has to be staged.
    func move(to name: String, beside path: String) -> Bool
}
