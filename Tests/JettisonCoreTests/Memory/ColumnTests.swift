import Testing

@testable import JettisonCore

@Suite struct ColumnTests {
  @Test("A column grows by appending and keeps what it has")
  func grows() {
    var column = Column<Int>(capacity: 0)
    for value in 0..<1_000 { column.append(value * 3) }
    #expect(column.count == 1_000)
    for index in column.indices { #expect(column[index] == index * 3) }
    #expect(column.last == 2_997)
  }

  @Test("A column of equal elements can be written in place")
  func writes() {
    var column = Column(repeating: 7, count: 5)
    column[2] += 1
    column[4] = 0
    #expect(column.indices.map { column[$0] } == [7, 7, 8, 7, 0])
  }

  @Test("Taking off elements keeps the ones before")
  func removes() {
    var column = Column<UInt8>()
    #expect(column.last == nil)
    column.append(1)
    column.append(2)
    #expect(column.removeLast() == 2)
    #expect(column.count == 1)
    column.removeAll()
    #expect(column.count == 0)
    let isEmpty = column.isEmpty
    #expect(isEmpty)
  }

  @Test("Resizing cuts off the end or adds copies")
  func resizes() {
    var column = Column(repeating: 1, count: 3)
    column.resize(to: 100, repeating: 9)
    #expect(column.count == 100)
    #expect(column[2] == 1)
    #expect(column[3] == 9)
    #expect(column[99] == 9)
    column.resize(to: 4, repeating: 0)
    #expect(column.indices.map { column[$0] } == [1, 1, 1, 9])
  }
}
