package import JettisonModel

/// Makes one trace of several inputs: a usage log, allocation streams of some of its apps, memory
/// samples of others.
///
/// **Time.** Inputs whose header has a `start` stand where the wall clock says; the earliest begins
/// at 0. An input without one begins at 0 too, unless it is an allocation stream (one app, with
/// allocations) of an app that another input launches: then its clock runs only while that app is
/// in front and the screen is on, because the work that was recorded is work that the user asked
/// for. Every life of the app runs the stream from its beginning, as a new process does; what no
/// life reaches is ignored and counted.
///
/// **Who says what.** The life cycle of an app comes from one input, the first that starts it; its
/// memory from one input, the first with allocations of it, else the first with samples; its edits
/// and saves, and its observed launches and warnings, from the first that has any. `home` comes
/// with the life cycle of the app that leaves, and each kind of row without an app from the first
/// input that has that kind. Rows that another input has too are ignored and counted.
///
/// **Order.** Rows are sorted by time, then by the order of the inputs; rows of a stream come after
/// the others of their instant. Blocks and tasks get new ids.
package enum TraceMerge {
  /// One input.
  package struct Input: Sendable {
    /// The trace that its format made of it.
    package let trace: Trace
    /// What its only app is called in the merged trace; nil: as in the input.
    package let app: String?
    /// The input as the user named it.
    package let file: String

    /// Makes an input.
    package init(trace: Trace, app: String? = nil, file: String) {
      self.trace = trace
      self.app = app
      self.file = file
    }
  }

  /// Reads inputs, each by its own format, and merges them.
  ///
  /// - Parameters:
  ///   - arguments: Paths, or `NAME=PATH`, which names the app of a capture of one process.
  ///   - name: The name of the merged trace.
  ///   - streamName: What an input is called that has no name, such as standard input.
  ///   - format: The format of all of them; nil: each is recognised by its content.
  ///   - formats: The formats that are known.
  ///   - options: The options of `jettison import`; those of a capture do not concern inputs that
  ///     are traces already.
  package static func load(
    _ arguments: [String], name: String, streamName: String = "stdin",
    format: TraceFormat? = nil, formats: TraceFormats, options: ImportOptions
  ) throws(TraceError) -> Trace {
    if options.app != nil {
      throw TraceError(
        .misuse, file: arguments.first ?? "-",
        what: "`ImportOptions.app` names the app of one capture",
        remedy: "name each as NAME=FILE")
    }
    var inputs: [Input] = []
    var isSpooled = false
    for argument in arguments {
      let (app, path) = split(argument)
      let input = try TraceInput(
        capture: path, formats: formats, name: TraceInput.hasName(path) ? nil : streamName)
      isSpooled = isSpooled || input.storage == .spool
      let own = try Self.format(format, of: input, options)
      let trace = try TraceLoader.load(
        input, format: own, options: Self.options(options, for: own))
      inputs.append(Input(trace: trace, app: app, file: input.displayName))
    }
    let trace = try merge(
      inputs, name: name, options: options, storage: isSpooled ? .spool : .memory)
    return options.isAnonymized ? try Anonymizer.anonymize(trace, file: name) : trace
  }

  /// Merges traces.
  ///
  /// Memory is bounded by apps, distinct details and live blocks, next to what the inputs take.
  ///
  /// Complexity: O(events × inputs).
  ///
  /// - Parameters:
  ///   - inputs: At least one, in order of precedence.
  ///   - name: The name of the merged trace.
  ///   - options: Device, user and apps of the merged trace.
  ///   - storage: Where the events are kept.
  package static func merge(
    _ inputs: [Input], name: String, options: ImportOptions = ImportOptions(),
    storage: TraceStorage = .memory
  ) throws(TraceError) -> Trace {
    let plan = try MergePlan(inputs, filter: AppFilter(options.apps))
    var writer = try MergeWriter(
      inputs, plan, storage: storage, file: name, hidesNames: options.isAnonymized)
    let header = try MergeHeader.header(of: inputs, plan, options)
    try writer.run()
    return try writer.finish(name: name, header: header)
  }

  /// `NAME=PATH` in two; a file that exists under the whole name is meant as it stands.
  package static func split(_ argument: String) -> (app: String?, path: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex,
      argument.index(after: sign) < argument.endIndex, !TraceInput.exists(argument)
    else { return (nil, argument) }
    return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  /// The format of one input: a table if nothing recognises it and columns are named.
  private static func format(
    _ format: TraceFormat?, of input: TraceInput, _ options: ImportOptions
  ) throws(TraceError) -> TraceFormat {
    if let format { return format }
    do throws(TraceError) {
      return try input.formats.detect(input)
    } catch {
      guard !options.columns.isEmpty, let table = input.formats.list.first(where: \.readsColumns)
      else { throw error }
      return table
    }
  }

  /// The options for one input: apps, device and names belong to the merged trace, and what is a
  /// trace already has nothing left to be said about it.
  private static func options(
    _ options: ImportOptions, for format: TraceFormat
  ) -> ImportOptions {
    var own = format.isNative ? ImportOptions() : options
    own.isStrict = options.isStrict
    own.isAnonymized = false
    own.apps = []
    own.device = nil
    // The user of a log of several is chosen here; elsewhere it is the merged trace's.
    if format.readAll == nil { own.user = nil }
    return own
  }
}
