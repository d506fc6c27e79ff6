import JettisonSynthetic
import JettisonTraces

func writePeople(into folder: String) throws {
  let mine = try SyntheticOwnApp(parsing: "com.example.mine:notes:6")
  for population in SyntheticPopulation.allCases {
    for user in 0..<10 {
      let trace = try SyntheticUsers.generate(
        user: user, days: 7, seed: 1, population: population, ownApps: [mine])
      try TraceWriter.write(trace, to: "\(folder)/\(population.rawValue)-\(user).csv")
    }
  }
}
