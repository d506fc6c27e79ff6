import JettisonCore
import JettisonSupport

/// The files with one row per run, per app of a run, and per comparison.
package enum RunTables {
  /// One run, as `summary.csv` and `apps.csv` see it.
  package struct MetricRow: Sendable {
    let key: RunKey
    let apps: [String]
    let natures: [AppNature]
    let reader: MetricReader
    /// Which app, in `apps.csv`.
    var app: AppIndex?

    /// Takes what a run yielded; nil if it failed.
    package init?(_ record: RunRecord) {
      guard let reader = record.metricReader() else { return nil }
      self.key = record.key
      self.apps = record.provenance.apps
      self.natures = record.provenance.natures
      self.reader = reader
    }

    /// How many apps the run counted.
    package var appCount: Int { reader.result.apps.count }

    /// The rows of the run in `apps.csv`, an app each.
    package var byApp: [MetricRow] {
      reader.result.apps.indices.map { position in
        var row = self
        row.app = AppIndex(position)
        return row
      }
    }

    /// What the run took the app to be; nil where that is not known.
    var nature: AppNature? {
      guard let app, app.position < natures.count else { return nil }
      return natures[app.position]
    }
  }

  /// `runs.csv`.
  package static let runs = ReportTable<RunRecord>(
    fileName: "runs.csv", rowMeaning: "run, failed ones included",
    fields: keyFields { $0.key } + runFields)

  /// `summary.csv`.
  package static let summary = ReportTable<MetricRow>(
    fileName: "summary.csv", rowMeaning: "run that did not fail",
    fields: keyFields { $0.key } + MetricTable.summary.map(metricField))

  /// `apps.csv`.
  package static let apps = ReportTable<MetricRow>(
    fileName: "apps.csv", rowMeaning: "run that did not fail, and app of its trace",
    fields: keyFields { $0.key } + [
      .init("app", "text", "Name of the app, decoded.") { row in
        guard let app = row.app, app.position < row.apps.count else { return .empty }
        return .text(row.apps[app.position])
      },
      .init("category", "text", "Category in force; utility where none is named.") {
        ReportCell($0.nature?.category ?? "")
      },
      .init(
        "save", "text",
        "When the app saves by itself, as save.when of a catalog: that of its entry or its category. "
          + "Where the trace has saves of the app, those take the place of resign, background, edit "
          + "and timer, unless saves are modelled."
      ) { ReportCell($0.nature?.saveWhen ?? "") },
    ] + MetricTable.apps.map(metricField))

  /// `comparison.csv`.
  package static let comparison = ReportTable<Comparison>(
    fileName: "comparison.csv", rowMeaning: "device, memory size, metric and pair of policies",
    fields: [
      .init("device", "text", "Name of the device.") { ReportCell($0.device) },
      .init("memory_bytes", "bytes", memoryText) { .integer($0.memoryBytes) },
    ] + comparisonFields)

  /// The columns that say which run a row belongs to.
  static func keyFields<Row>(
    _ key: @escaping @Sendable (borrowing Row) -> RunKey
  ) -> [ReportTable<Row>.Field] {
    [
      .init("trace", "text", "Name of the trace: its file's name without extensions.") {
        ReportCell(key($0).trace)
      },
      .init("user", "text", "Who was recorded.") { ReportCell(key($0).user) },
      .init("policy", "text", "Purge policy with its parameters.") {
        ReportCell(key($0).policy)
      },
      .init("device", "text", "Name of the device.") { ReportCell(key($0).device) },
      .init("memory_bytes", "bytes", memoryText) { .integer(key($0).memoryBytes) },
      .init("seed", "number", "Seed of everything drawn at random.") {
        .unsigned(key($0).seed)
      },
    ]
  }

  static let memoryText = "RAM; under a capacity in apps, that number of apps."

  private static func metricField(_ metric: Metric) -> ReportTable<MetricRow>.Field {
    .init(metric.name, metric.unit.rawValue, metric.documentation) { row in
      ReportCell(row.reader.value(of: metric, app: row.app))
    }
  }

  private static let comparisonFields: [ReportTable<Comparison>.Field] = [
    .init(
      "metric", "text",
      "Column of summary.csv. Sums are per user-day: added over the user's traces, divided by "
        + "their user_days; shares, quantiles, means and peaks stand as they are."
    ) { ReportCell($0.metric) },
    .init(
      "part", "text",
      "users: those with at least a day of trace. short: all others taken together; their sums are "
        + "totals, not rates per day."
    ) { ReportCell($0.part.rawValue) },
    .init("policy", "text", "The policy compared.") { ReportCell($0.policy) },
    .init("baseline", "text", "The policy it is compared with.") { ReportCell($0.baseline) },
    .init("users", "count", "Users with a value under both policies.") {
      .integer(Int64($0.users))
    },
    .init("users_differing", "count", "Those of them whose two values differ.") {
      .integer(Int64($0.usersDiffering))
    },
    .init("mean_difference", "as metric", "Mean over users of policy less baseline.") {
      ReportCell(real: $0.meanDifference)
    },
    .init("median_difference", "as metric", "Median over users of policy less baseline.") {
      ReportCell(real: $0.medianDifference)
    },
    .init(
      "ratio_of_totals", "ratio",
      "Sum over users under the policy by the sum under the baseline; empty if that is 0."
    ) { ReportCell(real: $0.ratioOfTotals) },
    .init(
      "low", "as metric",
      "Lower end of the 95 % interval of mean_difference; empty where method withholds it."
    ) { ReportCell(real: $0.low) },
    .init("high", "as metric", "Upper end of that interval.") { ReportCell(real: $0.high) },
    .init(
      "method", "text",
      "studentised: on each side the wider of the studentised bootstrap over users, 9,999 "
        + "resamples, and Student's distribution. Withheld: values: fewer than ten users; "
        + "few-differ: fewer than six users differ, or all by the same; totals: part is short."
    ) { ReportCell($0.method.rawValue) },
    .init(
      "p_value", "share",
      "Two-sided test of mean_difference that belongs to the interval, which leaves out 0 where "
        + "this is at most 0.05; empty where the interval is."
    ) { ReportCell(real: $0.pValue) },
    .init(
      "p_adjusted", "share",
      "The same after Holm's correction for the policies compared on this metric."
    ) { ReportCell(real: $0.pAdjusted) },
    .init(
      "users_needed", "count",
      "Users it would take to find a mean difference such as this one in four studies of five, at "
        + "5 %; empty where the values do not vary or their mean is 0."
    ) { $0.usersNeeded.map { .integer(Int64($0)) } ?? .empty },
    .init(
      "win_rate", "share",
      "Share of users for whom the policy is better, ties half; empty for metrics that are "
        + "neither good nor bad."
    ) { ReportCell(real: $0.winRate) },
    .init("policy_mean", "as metric", "Mean over users under the policy.") {
      ReportCell(real: $0.policyMean)
    },
    .init("baseline_mean", "as metric", "Mean over users under the baseline.") {
      ReportCell(real: $0.baselineMean)
    },
    .init(
      "differences", "text",
      "Policy less baseline of each user, as user=number joined by ';' with % ; = of names "
        + "percent-encoded; where method is values, and of those who differ where it is "
        + "few-differ."
    ) { row in
      ReportCell(
        row.differences.map {
          "\(listEncoded($0.user))=\(NumberText.real($0.difference))"
        }.joined(separator: ";"))
    },
  ]

  /// Encodes what would break a list of texts in one field.
  static func listEncoded(_ text: String) -> String {
    var encoded = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": encoded += "%25"
      case ";": encoded += "%3B"
      case "=": encoded += "%3D"
      default: encoded.unicodeScalars.append(scalar)
      }
    }
    return encoded
  }
}
