import { fstatSync, openSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import { FileStream } from './file-stream.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-file-stream-'))
afterAll(() => rm(folder, { recursive: true }))

const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, n) => `${n} `).join(''))
const path = join(folder, 'file')
writeFileSync(path, bytes)
const whole = { start: 0, end: bytes.length - 1 }

/** Consumes chunks like a response: it is done with one when it calls back. `hold` delays that. */
function receiver(hold: (chunk: Buffer) => Promise<unknown> | undefined = async () => {}) {
  const chunks: Buffer[] = []
  const memory = new Set<ArrayBufferLike>()
  const writable = new Writable({
    highWaterMark: 1,
    async write(chunk: Buffer, _, done) {
      memory.add(chunk.buffer)
      await hold(chunk)
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { writable, memory, received: () => Buffer.concat(chunks) }
}

const isOpen = (descriptor: number) => {
  try {
    return fstatSync(descriptor).isFile()
  } catch {
    return false
  }
}

test.each([whole, { start: 0, end: 0 }, { start: 262_143, end: 262_144 }, { start: 5, end: 1_900_000 }])(
  'bytes $start to $end arrive, in two buffers, and the file is closed',
  async (range) => {
    const descriptor = openSync(path, 'r')
    const stream = new FileStream(descriptor, range)
    // Slow enough that the next chunk is read in the meantime.
    const { writable, memory, received } = receiver(() => new Promise(setImmediate))
    stream.pipe(writable)
    await finished(writable)
    expect(received().equals(bytes.subarray(range.start, range.end + 1))).toBe(true)
    expect(memory.size).toBeLessThanOrEqual(2)
    await expect.poll(() => isOpen(descriptor)).toBe(false)
  },
)

test('readers that keep chunks get separate buffers', async () => {
  expect((await buffer(new FileStream(openSync(path, 'r'), whole))).equals(bytes)).toBe(true)
})

test('a slowly read transform passes on the bytes of the file', async () => {
  const passed = new PassThrough({ highWaterMark: 10_000_000 })
  new FileStream(openSync(path, 'r'), whole).pipe(passed)
  // By then the transform holds all of it.
  await new Promise((resolve) => passed.once('finish', resolve))
  expect((await buffer(passed)).equals(bytes)).toBe(true)
})

test('destroying the stream closes the file, even during a read, and nothing more is written', async () => {
  const descriptor = openSync(path, 'r')
  const stream = new FileStream(descriptor, whole)
  const { writable, received } = receiver()
  stream.pipe(writable)
  stream.destroy()
  await finished(stream).catch(() => {})
  await expect.poll(() => isOpen(descriptor)).toBe(false)
  expect(received()).toHaveLength(0)
})

test('a file that ends too early is an error', async () => {
  const short = join(folder, 'short')
  writeFileSync(short, bytes)
  const stream = new FileStream(openSync(short, 'r'), whole)
  await truncate(short, 300_000)
  stream.pipe(new PassThrough().resume())
  await expect(finished(stream)).rejects.toThrow('shorter')
})
