/// A file that is being made durable, which waits for the disk, while something else is done.
package protocol StartedSync: AnyObject {
    /// Waits until the file is durable.
    func wait() throws(StorageFault)
}
