import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fileTooLarge } from '../errors.ts'
import { countIncoming } from './incoming-stream.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const MINUTE_MS = 60_000
const incoming = (source: PassThrough) => {
  const max = { bytes: 1_000_000, refused: () => fileTooLarge(1_000_000) }
  const { bytes } = countIncoming(source, max, new AbortController().signal)
  bytes.on('error', () => {})
  return bytes
}

test('an upload that stalls is aborted after a minute', () => {
  const bytes = incoming(new PassThrough())
  vi.advanceTimersByTime(MINUTE_MS + 1)
  expect(bytes.errored).toMatchObject({ problem: { reason: 'uploadStalled' } })
})

test('an upload that waits for the storage is not aborted', async () => {
  const source = new PassThrough()
  const bytes = incoming(source)
  source.end('all of it')
  await vi.waitFor(() => expect(bytes.readableLength).toBe(9))
  vi.advanceTimersByTime(5 * MINUTE_MS)
  expect(bytes.destroyed).toBe(false)
  expect(bytes.read().toString()).toBe('all of it')
})
