internal import JettisonModel
public import JettisonTraces

extension TraceFormat {
  /// The database of iOS's power log: see ``PowerLogReader``.
  public static let powerLog = TraceFormat(
    name: "powerlog",
    summary: "iOS power log (CurrentPowerlog.PLSQL, SQLite): states and memory of apps.",
    provides: [
      .launches, .backgroundLaunches, .footprints, .systemMemory, .exits, .warnings, .screen,
    ],
    fileExtensions: ["PLSQL"],
    recognises: { tables in
      PowerLogTable.allCases.contains { tables.contains($0.rawValue.lowercased()) }
    },
    read: { (input, options) throws(TraceError) in try PowerLogReader.read(input, options) })
}

/// The tables that are read.
///
/// Those that a version of iOS does not have are counted.
enum PowerLogTable: String, CaseIterable {
  case states = "PLApplicationAgent_EventForward_Application"
  case stateReasons = "PLApplicationAgent_EventForward_Application_Array_Reason"
  case memory = "PLApplicationAgent_EventBackward_ApplicationMemory"
  case prewarms = "PLApplicationAgent_EventPoint_AppPrewarm"
  case appExits = "PLApplicationAgent_EventPoint_ApplicationExitReason"
  case apps = "PLApplicationAgent_EventNone_AllApps"
  case processes = "PLProcessMonitorAgent_EventForward_ProcessID"
  case exits = "PLProcessMonitorAgent_EventPoint_ProcessExit"
  case pages = "PLPerformanceAgent_EventPoint_SystemMemory"
  case blanks = "PLSpringBoardAgent_EventForward_SBBlank"
  case screens = "PLSpringBoardAgent_EventForward_SBScreen"
  case layouts = "PLScreenStateAgent_EventForward_ScreenState"
  case offsets = "PLStorageOperator_EventForward_TimeOffset"
  case zones = "PLLocaleAgent_EventForward_TimeZone"
  case configurations = "PLConfigAgent_EventNone_Config"
  case logStarts = "PLStorageOperator_EventForward_Configuration"

  /// What is not known without the table.
  var purpose: String {
    switch self {
    case .states: "nothing is known of the states of apps"
    case .stateReasons: "it is not known what woke an app"
    case .memory: "nothing is known of the memory of apps"
    case .prewarms: "it is not known which apps were started ahead of their use"
    case .appExits, .exits: "it is not known why processes ended"
    case .apps: "it is not known which processes are apps"
    case .processes: "process numbers that are used again may go unnoticed"
    case .pages: "nothing is known of the memory of the system"
    case .blanks, .screens: "it is not known when the screen was on"
    case .layouts: "it is not known what the screen showed"
    case .offsets: "times may be minutes from those of the wall clock"
    case .zones: "the zone is not known"
    case .configurations: "neither the device nor its starts are known"
    case .logStarts: "starts of the device may go unnoticed"
    }
  }
}
