internal import JettisonCore
package import JettisonTraces

/// One of the catalogs that traces are replayed with.
package struct NamedCatalog: Sendable {
  /// What it is called beside others; empty where there is only one.
  package let name: String
  /// The files that it is put together from, the one that wins last.
  package let paths: [String]
  /// What it says.
  package let catalog: Catalog
  /// What of it is ignored, as a sentence; nil: nothing.
  let remark: String?
}

/// Reads the files of `--catalog`.
package enum CatalogFile {
  /// The catalogs that files hold; none if no file is named.
  ///
  /// Several are compared over the apps that all of them name: an app that only some of them name
  /// would differ for want of an entry.
  ///
  /// - Parameter asked: What the user asked for.
  package static func read(
    _ asked: ExperimentSpecification
  ) throws(ExperimentError) -> [NamedCatalog] {
    let paths = asked.catalogs
    guard !paths.contains("") else {
      throw asked.error(.catalog, .invalid(what: "catalog", text: "", remedy: "name a file"))
    }
    if let repeated = paths.indices.first(where: { paths[..<$0].contains(paths[$0]) }) {
      throw asked.error(
        .catalog,
        .invalid(
          what: "catalog", text: paths[repeated], remedy: "it is asked for twice; name it once"))
    }
    let catalogs = try paths.map { (path) throws(ExperimentError) in try read(path) }
    guard paths.count > 1 else {
      return catalogs.map { NamedCatalog(name: "", paths: paths, catalog: $0, remark: nil) }
    }
    let names = names(of: paths)
    return try paths.indices.map { (position) throws(ExperimentError) in
      let shared = catalogs[position].sharing(appsOf: catalogs)
      guard shared.count > 0 else {
        throw asked.error(
          .catalog,
          .invalid(
            what: "catalog", text: paths[position],
            remedy: "it shares no app with the others; name the same apps in all of them"))
      }
      return NamedCatalog(
        name: names[position], paths: [paths[position]], catalog: shared,
        remark: remark(paths[position], catalogs[position], shared))
    }
  }

  private static func read(_ path: String) throws(ExperimentError) -> Catalog {
    do throws(TraceError) {
      return try Catalog(contentsOf: path)
    } catch {
      throw .input(error)
    }
  }

  private static func remark(_ path: String, _ all: Catalog, _ shared: Catalog) -> String? {
    let left = all.sortedEntries.map(\.name).filter { shared[$0] == nil }
    guard !left.isEmpty else { return nil }
    return "\(path): catalogs are compared over the apps that all of them name; ignored: "
      + LoadedTrace.listed(left)
  }

  /// The names of the files; their paths, if two files have one name.
  private static func names(of paths: [String]) -> [String] {
    let names = paths.map { String($0.split(separator: "/").last ?? "") }
    return Set(names).count == names.count ? names : paths
  }
}
