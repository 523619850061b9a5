package import ControlAPI
package import LocalStore

extension StoreError: ControlErrorConvertible {
    package var controlError: ControlError { .stateFailed(message) }
}
