/// Sleep where no time passes: a rest of less than a second is none, and a longer one ends only with its task.
package func sleepWhileTimeStands(_ duration: Duration) async throws {
    guard duration >= .seconds(1) else { return }
    let (never, end) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    end.finish()
    throw CancellationError()
}
