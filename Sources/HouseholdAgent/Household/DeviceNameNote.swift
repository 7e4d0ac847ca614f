/// The note of the record that holds this device's name. The shell reads it before an agent is made of the record.
package enum DeviceNameNote {
    package static let key = "device/name"
}
