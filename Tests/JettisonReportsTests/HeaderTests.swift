import Foundation
import JettisonCore
import Testing

@testable import JettisonReports

/// The headers are a promise to everyone who reads the files: they change only on purpose.
@Suite("Headers")
struct HeaderTests {
  static let key = "trace,user,policy,device,memory_bytes,seed,"

  static func header(_ columns: [ReportColumn]) -> String {
    columns.map(\.name).joined(separator: ",")
  }

  /// The header of a recorded report: recording is how a metric joins it.
  static func recorded(_ name: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Golden/\(name)").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    return String(text.prefix { !$0.isNewline })
  }

  @Test("runs.csv")
  func runs() {
    #expect(
      Self.header(RunTables.runs.columns) == Self.key
        + """
        trace_hash,start,catalog,catalog_hash,policy_hash,imputed,footprints,saves,adj,thread_cache,\
        pressure,era,api_level,capacity_apps,reserve_bytes,page_bytes,limit_bytes,multitasking,lock,handler_budget_seconds,\
        task_budget_seconds,background_launch_budget_seconds,suspension_delay_seconds,\
        compression_ratio,compression_suspended_share,warn_percent,critical_percent,\
        purge_percent,until_percent,level_return_percent,level_step_percent,\
        warning_order,warning_purge_delay_seconds,\
        pressure_parameters,decay_seconds,lambda,noise,warm_up_seconds,protect_recent,pinned,jettison_version,jemalloc_version,\
        status,reason
        """)
  }

  @Test("summary.csv")
  func summary() throws {
    #expect(Self.header(RunTables.summary.columns) == (try Self.recorded("summary.csv")))
  }

  @Test("apps.csv")
  func apps() throws {
    #expect(Self.header(RunTables.apps.columns) == (try Self.recorded("apps.csv")))
  }

  @Test("comparison.csv")
  func comparison() throws {
    #expect(Self.header(RunTables.comparison.columns) == (try Self.recorded("comparison.csv")))
  }

  @Test("events.csv")
  func events() {
    #expect(
      Self.header(DetailTables.events.columns) == Self.key
        + """
        time_ns,app,event,state_before,state_after,message,cause,class,bytes,seconds,\
        work_seconds,noticed,decision,detail
        """)
  }

  @Test("decisions.csv")
  func decisions() {
    #expect(
      Self.header(DetailTables.decisions.columns) == Self.key
        + """
        decision,time_ns,trigger,level,available_bytes,needed_bytes,target_bytes,rank,app,\
        state,band,score,footprint_bytes,idle_seconds,unsaved_work_seconds,unsaved_bytes,\
        seconds_since_warning,chosen,freed_bytes,tie_broken_by
        """)
  }

  @Test("footprints.csv")
  func footprints() {
    #expect(
      Self.header(DetailTables.footprints.columns) == Self.key
        + """
        time_ns,app,state,footprint_bytes,requested_bytes,active_bytes,dirty_bytes,\
        available_bytes,level
        """)
  }

  @Test("savings.csv")
  func savings() {
    #expect(
      Self.header(SavingsTable.rows.columns) == """
        app,policy,device,memory_bytes,habit,save_when,save_thread,users,user_days,launches,\
        system_ends,system_losses_noticed,system_lost_work_noticed_seconds,\
        system_lost_bytes_noticed,system_lost_work_seconds,loss_events,kill_loss_events,\
        watchdog_loss_events,task_loss_events,no_multitasking_loss_events,user_discards,\
        user_discarded_work_seconds,saves,written_bytes,saves_interrupted_window,\
        saves_interrupted_purge,watchdog_terminations,task_expirations,handler_wait_seconds,\
        system_relaunch_wait_seconds,lost_work_per_user_day_seconds,mean_difference,low,high,\
        method,p_value,p_adjusted,least_writing
        """)
  }

  @Test("validation.csv and validation-summary.csv")
  func validation() {
    #expect(
      Self.header(ValidationTables.rows.columns) == Self.key
        + """
        adj,kind,time_ns,app,cause,band,moment,outcome,matched,same_set,exact,chance_matched,\
        offset_seconds,other_app,reason,decision,decision_rank,level,available_bytes,\
        observed_bytes,difference_bytes,rank,candidates,top_1,top_3,reciprocal_rank,chance_top_1,chance_top_3,chance_reciprocal_rank
        """)
    #expect(
      Self.header(ValidationTables.summary.columns) == Self.key
        + """
        window_seconds,adj,observed_kills,matched_kills,same_set_kills,exact_kills,\
        chance_matched_kills,simulated_kills,\
        unobserved_kills,recall,precision,ranked_kills,top_1_kills,top_3_kills,\
        chance_top_1_kills,chance_top_3_kills,mean_reciprocal_rank,chance_reciprocal_rank,\
        observed_warnings,matched_warnings,unobserved_warnings,in_step_seconds,available_rows,\
        available_mean_absolute_difference_bytes,available_max_absolute_difference_bytes,\
        available_mean_difference_bytes
        """)
  }

  @Test("canary.csv")
  func canary() {
    #expect(
      Self.header(CanaryTable.rows.columns) == Self.key
        + """
        pressure,class,apps,died,first_taken_bytes,first_available_bytes,first_app,first_cause,\
        last_taken_bytes,deaths_bytes,step_bytes,taken_bytes
        """)
  }

  @Test("Every column is described once, in one sentence, in words a table can hold")
  func descriptions() {
    for file in ColumnsDocument.files {
      #expect(Set(file.columns.map(\.name)).count == file.columns.count, "\(file.name)")
      for column in file.columns {
        #expect(column.documentation.hasSuffix("."), "\(file.name): \(column.name)")
        #expect(!column.documentation.contains("|") && !column.unit.contains("|"))
        #expect(column.name.allSatisfy { $0 == "_" || $0.isLowercase || $0.isNumber })
      }
    }
  }

  @Test("Raw values of kinds and causes count from 0: rows look their names up by them")
  func rawValues() {
    #expect(RecordedKind.allCases.map { Int($0.rawValue) } == Array(RecordedKind.allCases.indices))
    #expect(
      RecordedCause.allCases.map { Int($0.rawValue) } == Array(RecordedCause.allCases.indices))
  }

  @Test("columns.md names every file and every column")
  func dictionary() {
    let lines = ColumnsDocument.text.split(separator: "\n")
    for file in ColumnsDocument.files {
      #expect(lines.contains("## \(file.name)"))
      for column in file.columns {
        #expect(
          lines.contains("| `\(column.name)` | \(column.unit) | \(column.documentation) |"))
      }
    }
    #expect(!ColumnsDocument.text.contains("  |"))
  }

  @Test("The article on reports has the same tables (JETTISON_RECORD=1 writes them)")
  func article() throws {
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/JettisonReports/JettisonReports.docc/Reports.md")
    var article = try String(contentsOf: file, encoding: .utf8)
    for name in ColumnsDocument.files.map(\.name) {
      let table = try Self.table(of: name, in: article)
      let wanted = try Self.table(of: name, in: ColumnsDocument.text)
      if table == wanted { continue }
      if ProcessInfo.processInfo.environment["JETTISON_RECORD"] == "1" {
        article = article.replacing(Self.rows(table), with: Self.rows(wanted))
        try article.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("\(name) is written: read the difference, and run again without recording")
      }
      #expect(try Self.table(of: name, in: article) == wanted, "\(name)")
    }
  }

  /// The lines of a table, without the sentence above it.
  private static func rows(_ table: [Substring]) -> String {
    table.filter { $0.hasPrefix("|") }.map { $0 + "\n" }.joined()
  }

  /// The first table below the heading of a file, with the line that says what a row is.
  private static func table(of file: String, in text: String) throws -> [Substring] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let heading = try #require(lines.firstIndex(of: "## \(file)"))
    let rows = lines[heading...].dropFirst()
    let start = try #require(rows.firstIndex { $0.hasPrefix("| Column |") })
    let meaning = rows[..<start].filter { $0.hasPrefix("One row per ") }
    return meaning + rows[start...].prefix { $0.hasPrefix("|") }
  }
}
