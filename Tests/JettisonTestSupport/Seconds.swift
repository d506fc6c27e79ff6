/// Seconds in nanoseconds, the unit of the engine.
package func seconds(_ count: Double) -> Int64 { Int64(count * 1e9) }
