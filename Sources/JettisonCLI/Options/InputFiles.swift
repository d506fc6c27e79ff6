internal import Foundation
internal import JettisonExperiments
internal import JettisonSupport

/// The files that a command reads: no result may replace what it comes from.
struct InputFiles {
  private let paths: [FileSystem.Identity: String]
  /// Real paths of the directories in which traces were looked for.
  private let folders: Set<String>

  /// Finds them.
  ///
  /// - Parameter named: Paths as the user wrote them; a directory stands for the traces in it. What is no
  ///   file is left to who reads it.
  init(_ named: [String]) {
    var files: [String] = []
    var folders: Set<String> = []
    for path in named {
      let found = (try? TraceCollection.files([path])) ?? []
      files += found
      guard found != [path] else { continue }
      folders.insert(Self.real(path))
      for file in found { folders.formUnion(Self.parents(of: file, below: path)) }
    }
    self.folders = folders
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

  /// Refuses a directory in which traces are looked for, because reports are CSV files, too, and one in
  /// which an input has the name of a report.
  func keep(fromReportsIn directory: String, _ option: String) throws(ExperimentError) {
    guard !folders.contains(Self.real(directory)) else {
      throw OutputPlaces.error(
        option, directory, "it is read, too; name another directory")
    }
    for name in OutputPlaces.reportNames.sorted() {
      let place = (directory as NSString).appendingPathComponent(name)
      guard let input = input(at: place) else { continue }
      throw OutputPlaces.error(
        option, directory, "'\(input)' in it is read, too; name another directory")
    }
  }

  /// The directories that lead from the one that the user named to a file.
  private static func parents(of file: String, below named: String) -> [String] {
    let top = named.hasSuffix("/") ? named.dropLast() : named[...]
    var parents: [String] = []
    var parent = (file as NSString).deletingLastPathComponent
    while parent.count > top.count {
      parents.append(real(parent))
      parent = (parent as NSString).deletingLastPathComponent
    }
    return parents
  }

  /// A path without detours and links.
  private static func real(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }

  private func input(at place: String) -> String? {
    FileSystem.Identity(of: place).flatMap { paths[$0] }
  }
}
