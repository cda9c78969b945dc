import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unlessStalled } from './stalled-stream.ts'

test('a stream passes all its bytes on, even to a reader that pauses for long', async () => {
  const source = new PassThrough()
  const passed = unlessStalled(source, 100)
  for (let i = 0; i < 40; i++) source.write(Buffer.alloc(10_000, i))
  source.end()
  await sleep(300)
  expect(await buffer(passed)).toEqual(Buffer.concat(Array.from({ length: 40 }, (_, i) => Buffer.alloc(10_000, i))))
})

test('it fails when nothing arrives, or its source fails, and ends with its reader', async () => {
  const source = new PassThrough()
  source.write('half')
  await expect(buffer(unlessStalled(source, 50))).rejects.toMatchObject({ code: 'unavailable' })
  expect(source.destroyed).toBe(true)

  const cut = new PassThrough()
  const passed = buffer(unlessStalled(cut, 10_000))
  cut.destroy(new Error('the line was cut'))
  await expect(passed).rejects.toThrow('the line was cut')

  const left = new PassThrough()
  const reader = unlessStalled(left, 10_000)
  reader.resume()
  await sleep(10)
  reader.destroy()
  await expect.poll(() => left.destroyed).toBe(true)
})
