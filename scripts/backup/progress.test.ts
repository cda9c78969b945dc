import { expect, onTestFinished, test, vi } from 'vitest'
import { countProgress, type Progress } from '../../server/backup/progress.ts'
import { describeBytes, showProgress } from './progress.ts'

function show(isTTY: boolean, columns = 80) {
  const written: string[] = []
  const stream = { isTTY, columns, write: (text: string) => written.push(text) > 0 } as NodeJS.WriteStream
  return { written, ...showProgress(stream) }
}

test('bytes of tables and files add up, and estimates never pass the end', () => {
  const seen: Progress[] = []
  const progress = countProgress('database', 100, (it) => seen.push(it))
  const onBytes = progress.begin(40, 'messages')
  onBytes(30)
  // The size was an estimate.
  onBytes(30)
  progress.end(40)
  progress.begin(60, 'users')(20)
  expect(seen.map(({ done, item }) => [done, item])).toEqual([
    [0, 'messages'],
    [30, 'messages'],
    [40, 'messages'],
    [40, undefined],
    [40, 'users'],
    [60, 'users'],
  ])
})

test('a terminal shows a bar of one line, redrawn and cleared at the end', () => {
  const { written, onProgress, end } = show(true)
  onProgress({ part: 'database', item: 'messages', done: 50, total: 200 })
  onProgress({ part: 'files', done: 1024 ** 3, total: 4 * 1024 ** 3 })
  end()
  expect(written).toEqual([
    '\r\x1b[KDatabase  ██████░░░░░░░░░░░░░░░░░░  25 %  messages',
    '\r\x1b[KFiles     ██████░░░░░░░░░░░░░░░░░░  25 %  1.0 GB of 4.0 GB',
    '\r\x1b[K',
  ])
  const narrow = show(true, 20)
  narrow.onProgress({ part: 'files', done: 0, total: 0 })
  expect(narrow.written[0]?.replace('\r\x1b[K', '')).toHaveLength(19)
})

test('a log gets a line every ten seconds, and none for what is quick', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { written, onProgress, end } = show(false)
  const at = (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1000)
    onProgress({ part: 'files', done: seconds, total: 100 })
  }
  at(1)
  at(8)
  expect(written).toEqual([])
  at(11)
  at(2)
  expect(written).toEqual(['Files: 11 %, 11 bytes of 100 bytes\n'])
  end()
  expect(written).toHaveLength(1)
})

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1.0 KB'],
  [5 * 1024 ** 3, '5.0 GB'],
  [9_000 * 1024 ** 4, '9000.0 TB'],
])('%d bytes are %s', (bytes, text) => expect(describeBytes(bytes)).toBe(text))
