internal import ArgumentParser

extension ListenAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
    package var defaultValueDescription: String { description }
}
