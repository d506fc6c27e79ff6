internal import Foundation
internal import JettisonExperiments
internal import JettisonSupport

/// The files that a command reads: no result may replace what it comes from.
struct InputFiles {
  private let paths: [FileSystem.Identity: String]

  /// Finds them.
  ///
  /// - Parameter named: Paths as the user wrote them; a directory stands for the traces in it. What is no
  ///   file is left to who reads it.
  init(_ named: [String]) {
    let files = named.flatMap { (try? TraceCollection.files([$0])) ?? [] }
    let known = files.compactMap { path in FileSystem.Identity(of: path).map { ($0, path) } }
    paths = Dictionary(known, uniquingKeysWith: { first, _ in first })
  }

  /// Refuses a place where one of them is.
  ///
  /// - Parameter option: The option that names the place.
  func keep(from place: String, _ option: String) throws(ExperimentError) {
    guard input(at: place) != nil else { return }
    throw OutputPlaces.error(option, place, "it is read, too; name another file")
  }

  /// Refuses a directory in which one of them has the name of a report.
  func keep(fromReportsIn directory: String, _ option: String) throws(ExperimentError) {
    for name in OutputPlaces.reportNames.sorted() {
      let place = (directory as NSString).appendingPathComponent(name)
      guard let input = input(at: place) else { continue }
      throw OutputPlaces.error(
        option, directory, "'\(input)' in it is read, too; name another directory")
    }
  }

  private func input(at place: String) -> String? {
    FileSystem.Identity(of: place).flatMap { paths[$0] }
  }
}
