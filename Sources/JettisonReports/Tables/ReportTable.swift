package import JettisonCore

/// One field of a row.
package enum ReportCell: Sendable, Equatable {
  /// Not applicable.
  case empty
  case integer(Int64)
  case unsigned(UInt64)
  /// Nanoseconds, written in seconds.
  case seconds(Int64)
  case real(Double)
  /// Words of the user or of an app: quoted and made harmless where needed.
  case text(String)

  /// The field of a metric's value.
  package init(_ value: MetricValue) {
    self =
      switch value {
      case .empty: .empty
      case .integer(let number): .integer(number)
      case .nanoseconds(let time): .seconds(time)
      case .real(let number): .real(number)
      }
  }

  /// A number where there is one.
  package init(_ value: Int64?) {
    self = value.map { .integer($0) } ?? .empty
  }

  /// A number where there is one.
  package init(real value: Double?) {
    self = value.map { .real($0) } ?? .empty
  }

  /// A time where there is one.
  package init(nanoseconds value: Int64?) {
    self = value.map { .seconds($0) } ?? .empty
  }

  /// A word, or an empty field for an empty one.
  package init(_ word: String) {
    self = word.isEmpty ? .empty : .text(word)
  }

  /// A fact that sums and counts well: 1 or 0.
  package init(_ fact: Bool) {
    self = .integer(fact ? 1 : 0)
  }
}

/// What `columns.md` says about a column.
package struct ReportColumn: Sendable, Equatable {
  /// Name in the header.
  package let name: String
  /// Unit, or `text` with the words that may occur.
  package let unit: String
  /// One sentence.
  package let documentation: String
}

/// The columns of one file, each with the way to fill it.
package struct ReportTable<Row>: Sendable {
  /// A column and what it holds for a row.
  package struct Field: Sendable {
    package let column: ReportColumn
    package let cell: @Sendable (borrowing Row) -> ReportCell

    /// Describes a column.
    package init(
      _ name: String, _ unit: String, _ documentation: String,
      cell: @escaping @Sendable (borrowing Row) -> ReportCell
    ) {
      self.column = ReportColumn(name: name, unit: unit, documentation: documentation)
      self.cell = cell
    }
  }

  /// Name of the file.
  package let fileName: String
  /// What a row stands for, for people.
  package let rowMeaning: String
  /// The columns in order.
  package let fields: [Field]

  /// The columns without their contents.
  package var columns: [ReportColumn] { fields.map(\.column) }
}
