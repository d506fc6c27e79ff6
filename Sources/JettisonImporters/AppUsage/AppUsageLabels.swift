/// The words by which a screen-time log names rows that are no apps.
///
/// English and French are known from exports, the screen's words in Spanish from what the app shows,
/// the first of them in Italian; for the rest, and for the other languages, the table holds the
/// plain translations of these words, several where usage varies. A label without a known word is recognised by
/// its shape (``AppUsageShapes``); a label that even this misses makes a pseudo-app that the summary of
/// the import shows, so it is easily noticed and added.
enum AppUsageLabels {
  /// What a row stands for.
  enum Meaning: Equatable {
    case app
    /// An app that the user of the import does not want.
    case otherApp
    case screenOff
    /// The lock screen is lit.
    case screenOnLocked
    case screenOn
    case notification
    case boot
    case shutdown
    /// The log speaks of itself or sums up.
    case note
  }

  /// What a row with this label stands for.
  ///
  /// Complexity: O(length of the label).
  static func meaning(of label: String) -> Meaning {
    let label = normalised(label)
    let (base, remark) = parts(label)
    if words.screenOff.contains(base) { return .screenOff }
    if words.screenOn.contains(base) {
      return words.locked.contains(remark) ? .screenOnLocked : .screenOn
    }
    if words.notification.contains(base), !remark.isEmpty { return .notification }
    if words.boot.contains(label) { return .boot }
    if words.shutdown.contains(label) { return .shutdown }
    return words.note.contains(label) ? .note : .app
  }

  /// Lower case, with every kind of blank as one space and full-width parentheses as plain ones.
  static func normalised(_ label: String) -> String {
    var text = ""
    var blank = false
    for scalar in label.lowercased().unicodeScalars {
      switch scalar.value {
      case 0x20, 0x09, 0xA0, 0x202F, 0x3000: blank = !text.isEmpty
      case 0x200B...0x200F, 0xFEFF: break
      default:
        if blank { text.unicodeScalars.append(" ") }
        blank = false
        switch scalar.value {
        case 0xFF08: text.unicodeScalars.append("(")
        case 0xFF09: text.unicodeScalars.append(")")
        case 0x2019: text.unicodeScalars.append("'")
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }

  /// "screen on (locked)" as "screen on" and "locked".
  static func parts(_ label: String) -> (base: String, remark: String) {
    guard label.hasSuffix(")"), let open = label.firstIndex(of: "(") else { return (label, "") }
    var base = label[..<open]
    while base.last == " " { base.removeLast() }
    return (String(base), String(label[label.index(after: open)...].dropLast()))
  }

  private struct Words: Sendable {
    var screenOff: Set<String> = []
    var screenOn: Set<String> = []
    var locked: Set<String> = []
    var notification: Set<String> = []
    var boot: Set<String> = []
    var shutdown: Set<String> = []
    var note: Set<String> = []
  }

  private static let words: Words = {
    var words = Words()
    for language in languages {
      words.screenOff.formUnion(language.screenOff)
      words.screenOn.formUnion(language.screenOn)
      words.locked.formUnion(language.locked)
      words.notification.formUnion(language.notification)
      words.boot.formUnion(language.boot)
      words.shutdown.formUnion(language.shutdown)
      words.note.formUnion(language.note)
    }
    return words
  }()

  private static let languages: [Words] = [
    Words(  // English
      screenOff: ["screen off", "screen locked"], screenOn: ["screen on"], locked: ["locked"],
      notification: ["notification posted", "notification"],
      boot: ["device boot", "device started"], shutdown: ["device shutdown", "device shut down"],
      note: ["notification history enabled", "notification history disabled", "total"]),
    Words(  // French
      screenOff: ["écran éteint", "écran désactivé"],
      screenOn: ["écran allumé", "écran activé"], locked: ["verrouillé"],
      notification: ["notification publiée", "notification affichée", "notification postée"],
      boot: ["appareil allumé", "démarrage de l'appareil", "démarrage du périphérique"],
      shutdown: [
        "appareil éteint", "arrêt de l'appareil", "extinction de l'appareil",
        "arrêt du périphérique",
      ],
      note: ["historique activé des notifications", "historique des notifications activé"]),
    Words(  // German
      screenOff: ["bildschirm aus", "display aus"], screenOn: ["bildschirm an", "display an"],
      locked: ["gesperrt"], notification: ["benachrichtigung", "benachrichtigung gesendet"],
      boot: ["gerätestart", "gerät gestartet"],
      shutdown: ["gerät ausgeschaltet", "gerät heruntergefahren"],
      note: ["benachrichtigungsverlauf aktiviert", "gesamt", "insgesamt"]),
    Words(  // Spanish
      screenOff: ["pantalla apagada"], screenOn: ["pantalla encendida"],
      locked: ["bloqueada", "bloqueado"],
      notification: ["notificación publicada", "notificación"],
      boot: ["inicio del dispositivo", "arranque del dispositivo", "dispositivo encendido"],
      shutdown: ["apagado del dispositivo", "dispositivo apagado"],
      note: ["historial de notificaciones activado"]),
    Words(  // Italian
      screenOff: ["schermo spento"], screenOn: ["schermo acceso"],
      locked: ["bloccato"], notification: ["notifica pubblicata", "notifica inviata", "notifica"],
      boot: ["avvio del dispositivo", "avvio dispositivo"],
      shutdown: ["spegnimento del dispositivo", "spegnimento dispositivo"],
      note: ["cronologia notifiche attivata", "totale"]),
    Words(  // Portuguese
      screenOff: ["tela desligada", "ecrã desligado"], screenOn: ["tela ligada", "ecrã ligado"],
      locked: ["bloqueada", "bloqueado"],
      notification: ["notificação publicada", "notificação postada", "notificação"],
      boot: ["inicialização do dispositivo", "dispositivo iniciado"],
      shutdown: ["desligamento do dispositivo", "dispositivo desligado"],
      note: ["histórico de notificações ativado"]),
    Words(  // Dutch
      screenOff: ["scherm uit"], screenOn: ["scherm aan"], locked: ["vergrendeld"],
      notification: ["melding geplaatst", "melding"],
      boot: ["apparaat opgestart", "apparaat gestart"],
      shutdown: ["apparaat uitgeschakeld", "apparaat afgesloten"],
      note: ["meldingsgeschiedenis ingeschakeld", "totaal"]),
    Words(  // Polish
      screenOff: ["ekran wyłączony"], screenOn: ["ekran włączony"], locked: ["zablokowany"],
      notification: ["powiadomienie", "opublikowano powiadomienie"],
      boot: ["uruchomienie urządzenia"], shutdown: ["wyłączenie urządzenia"],
      note: ["historia powiadomień włączona", "łącznie", "razem"]),
    Words(  // Russian
      screenOff: ["экран выключен", "экран выкл", "экран выкл."],
      screenOn: ["экран включен", "экран включён", "экран вкл", "экран вкл."],
      locked: ["заблокирован", "заблокировано"],
      notification: ["уведомление", "уведомление опубликовано"],
      boot: ["загрузка устройства", "включение устройства"],
      shutdown: ["выключение устройства"], note: ["история уведомлений включена", "всего", "итого"]),
    Words(  // Ukrainian
      screenOff: ["екран вимкнено"], screenOn: ["екран увімкнено"], locked: ["заблоковано"],
      notification: ["сповіщення"], boot: ["завантаження пристрою"],
      shutdown: ["вимкнення пристрою"], note: ["усього"]),
    Words(  // Turkish
      screenOff: ["ekran kapalı"], screenOn: ["ekran açık"], locked: ["kilitli"],
      notification: ["bildirim", "bildirim gönderildi"], boot: ["cihaz açıldı"],
      shutdown: ["cihaz kapatıldı"], note: ["toplam"]),
    Words(  // Swedish, Norwegian and Danish
      screenOff: ["skärm av", "skjerm av", "skærm slukket"],
      screenOn: ["skärm på", "skjerm på", "skærm tændt"], locked: ["låst"],
      notification: ["avisering", "varsel", "underretning"], boot: ["enheten startades"],
      shutdown: ["enheten stängdes av"], note: ["totalt"]),
    Words(  // Czech
      screenOff: ["obrazovka vypnuta"], screenOn: ["obrazovka zapnuta"], locked: ["uzamčeno"],
      notification: ["oznámení"], boot: ["spuštění zařízení"],
      shutdown: ["vypnutí zařízení"], note: ["celkem"]),
    Words(  // Japanese
      screenOff: ["画面オフ", "画面off"], screenOn: ["画面オン", "画面on"],
      locked: ["ロック", "ロック中"], notification: ["通知"], boot: ["端末起動"],
      shutdown: ["端末シャットダウン"], note: ["合計"]),
    Words(  // Korean
      screenOff: ["화면 꺼짐"], screenOn: ["화면 켜짐"], locked: ["잠김", "잠금"],
      notification: ["알림"], boot: ["기기 부팅"], shutdown: ["기기 종료"], note: ["합계"]),
    Words(  // Chinese, simplified and traditional
      screenOff: ["屏幕关闭", "螢幕關閉"], screenOn: ["屏幕开启", "屏幕打开", "螢幕開啟"],
      locked: ["锁定", "已锁定", "鎖定", "已鎖定"], notification: ["通知"],
      boot: ["设备启动", "裝置啟動"], shutdown: ["设备关机", "裝置關機"], note: ["总计", "總計"]),
  ]
}
