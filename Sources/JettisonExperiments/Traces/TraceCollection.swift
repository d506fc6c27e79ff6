package import JettisonCore
internal import JettisonSupport
package import JettisonTraces

/// A trace in memory with what is known about its apps.
package struct LoadedTrace: Sendable {
  /// The path as the user wrote it; `<stdin>` for standard input.
  package let path: String
  /// The decoded trace, shared by all its runs.
  package let trace: Trace
  /// What catalogs say about its apps, once for each file of `--catalog`; never empty.
  package let catalogs: [NamedCatalog]
  /// What reading the trace came across, and apps that no catalog knows.
  package let issues: ImportIssues

  /// Makes a loaded trace from its parts.
  package init(path: String, trace: Trace, catalog: Catalog, files: [NamedCatalog] = []) {
    self.path = path
    self.trace = trace
    let side = Catalog.sidePath(for: trace, at: path).map { [$0] } ?? []
    catalogs =
      files.isEmpty
      ? [NamedCatalog(name: "", paths: side, catalog: catalog, remark: nil)]
      : files.map { file in
        var both = catalog
        both.merge(file.catalog)
        return NamedCatalog(
          name: file.name, paths: side + file.paths, catalog: both, remark: file.remark)
      }
    // Several files name the same apps: what the first does not know, none does.
    let catalog = catalogs[0].catalog
    var issues = trace.issues
    let unknown = trace.apps.filter { catalog[$0] == nil }
    if !unknown.isEmpty {
      issues.add(
        .info, "\(Catalog.unknownAppIssue): \(Self.listed(unknown))", count: unknown.count,
        lines: [])
    }
    self.issues = issues
  }

  /// Another one with other rows of the same apps.
  init(_ other: LoadedTrace, with trace: Trace) {
    path = other.path
    self.trace = trace
    catalogs = other.catalogs
    issues = other.issues
  }

  /// The largest footprint in bytes that the trace says for each app, by position; −1 where it says
  /// none.
  ///
  /// - Complexity: O(events).
  package var largestSamples: [Int64] {
    var largest = [Int64](repeating: -1, count: trace.apps.count)
    trace.events.forEachWindow { (events, _) in
      for position in 0..<events.count {
        let event = events[position]
        guard event.kind == .footprint || event.kind == .present,
          event.flags.contains(.hasValue)
        else { continue }
        largest[event.app.position] = max(largest[event.app.position], event.value)
      }
    }
    return largest
  }

  /// The first few names, and how many more there are.
  static func listed(_ names: [String]) -> String {
    let shown = 5
    let list = names.prefix(shown).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > shown ? "\(list) and \(names.count - shown) more" : list
  }

  /// The apps on a device under the first catalog, by ``AppIndex``.
  package func apps(on device: Device) -> [ResolvedApp] {
    var issues = ImportIssues()
    return catalogs[0].catalog.resolve(trace, on: device, issues: &issues)
  }
}

/// Finds and reads the traces that a user named.
package enum TraceCollection {
  /// How deep folders lie in a directory at most: a link may lead back to where it is.
  private static let depth = 8

  /// The files that paths stand for: a directory stands for the traces in it, in order of names; one
  /// that has none itself, for those of its folders.
  ///
  /// - Parameters:
  ///   - paths: Files and directories.
  ///   - formats: By which files of a directory are traces.
  package static func files(
    _ paths: [String], formats: TraceFormats = .native
  ) throws(ExperimentError) -> [String] {
    let endings = formats.folderEndings
    var files: [String] = []
    for path in paths {
      guard path != "-", InputFile.isDirectory(path) else {
        files.append(path)
        continue
      }
      let inside = try self.files(in: path, endings, depth: depth)
      guard !inside.isEmpty else { throw .noTraces(path: path, endings: endings) }
      files += inside
    }
    return files
  }

  private static func files(
    in directory: String, _ endings: [String], depth: Int
  ) throws(ExperimentError) -> [String] {
    let names = try InputFile.names(in: directory).filter { !$0.hasPrefix(".") }
    let paths = names.map { directory.hasSuffix("/") ? directory + $0 : directory + "/" + $0 }
    let own = paths.filter { path in
      endings.contains { path.hasSuffix($0) } && !InputFile.isDirectory(path)
    }
    // Reports are CSV files too, with a description of their columns beside them; what the user
    // names is read all the same.
    if depth < Self.depth, names.contains("columns.md") { return [] }
    guard own.isEmpty, depth > 0 else { return own }
    var files: [String] = []
    for path in paths where InputFile.isDirectory(path) {
      files += try self.files(in: path, endings, depth: depth - 1)
    }
    return files
  }

  /// Refuses directories where each argument is one trace.
  package static func checkFiles(_ paths: [String], remedy: String) throws(ExperimentError) {
    for path in paths where path != "-" && InputFile.isDirectory(path) {
      throw .misuse(what: "\(path): is a directory", remedy: remedy)
    }
  }

  /// Reads the traces that are asked for, with their catalogs, on several cores.
  ///
  /// - Throws: As ``load(_:catalogs:jobs:formats:options:)``, and if no trace is asked for.
  package static func load(
    for asked: ExperimentSpecification, jobs: Int
  ) async throws(ExperimentError) -> [LoadedTrace] {
    guard !asked.traces.isEmpty else {
      throw .value("traces", .invalid(what: "list", text: "", remedy: "name a trace"))
    }
    var options = ImportOptions()
    options.isStrict = asked.isStrict
    return try await load(
      asked.traces, catalogs: CatalogFile.read(asked), jobs: jobs, formats: asked.formats,
      options: options)
  }

  /// Reads traces and their catalogs on several cores, in the order of the paths; a capture of
  /// several users becomes as many traces.
  ///
  /// - Throws: ``ExperimentError`` for the first path that cannot be read, and where two traces
  ///   have one name.
  package static func load(
    _ paths: [String], catalogs: [NamedCatalog], jobs: Int, formats: TraceFormats = .native,
    options: ImportOptions = ImportOptions()
  ) async throws(ExperimentError) -> [LoadedTrace] {
    let files = try files(paths, formats: formats)
    // Reports know a trace by its name alone: told before anything is read, where the names of the
    // files say it.
    try checkNames(files.map { (name: formats.traceName(of: $0), path: $0) })
    let results = await files.indices.concurrentMap(jobs: jobs) { place in
      Result { () throws(ExperimentError) in
        try load(files[place], catalogs, formats, options)
      }
    }
    // The first error in the order of the paths, whichever was met first.
    var traces: [LoadedTrace] = []
    for result in results { traces += try result.get() }
    try checkNames(traces.map { (name: $0.trace.name, path: $0.path) })
    return traces
  }

  /// Reads one trace and its catalog; a capture of several users is refused.
  package static func loadOne(
    _ path: String, catalogs: [NamedCatalog], formats: TraceFormats = .native
  ) throws(ExperimentError) -> LoadedTrace {
    do throws(TraceError) {
      let input = try TraceInput(path: path, formats: formats)
      return try loaded(try TraceLoader.load(input), from: input, catalogs)
    } catch {
      throw .input(error)
    }
  }

  private static func load(
    _ file: String, _ catalogs: [NamedCatalog], _ formats: TraceFormats, _ options: ImportOptions
  ) throws(ExperimentError) -> [LoadedTrace] {
    do throws(TraceError) {
      return try loadAll(file, catalogs, formats: formats, options: options)
    } catch {
      throw .input(error)
    }
  }

  /// Reads the traces of all users of an input, each with its catalog.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - catalogs: What is known of apps beyond the traces' own catalogs.
  ///   - formats: The formats that the input may have.
  ///   - format: The one that it has; nil: detected from the content.
  ///   - options: For captures of other formats.
  package static func loadAll(
    _ path: String, _ catalogs: [NamedCatalog], formats: TraceFormats = .native,
    format: TraceFormat? = nil, options: ImportOptions = ImportOptions()
  ) throws(TraceError) -> [LoadedTrace] {
    let input = try TraceInput(path: path, formats: formats)
    var traces: [LoadedTrace] = []
    for trace in try TraceLoader.loadAll(input, format: format, options: options) {
      traces.append(try loaded(trace, from: input, catalogs))
    }
    return traces
  }

  /// A trace that was read, with its own catalog and the files of `--catalog` over it.
  private static func loaded(
    _ trace: Trace, from input: TraceInput, _ catalogs: [NamedCatalog]
  ) throws(TraceError) -> LoadedTrace {
    LoadedTrace(
      path: input.displayName, trace: trace,
      catalog: try Catalog(for: trace, at: input.displayName), files: catalogs)
  }

  private static func checkNames(
    _ traces: [(name: String, path: String)]
  ) throws(ExperimentError) {
    var known: [String: String] = [:]
    for (name, path) in traces {
      if let first = known[name] {
        throw .duplicateTrace(name: name, first: first, second: path)
      }
      known[name] = path
    }
  }
}
