import { expect, test } from 'vitest'
import { readEvents } from './event-stream.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function all(body: AsyncIterable<Uint8Array>) {
  const events: string[] = []
  for await (const event of readEvents(body)) events.push(event)
  return events
}

test('an event is parsed from its data lines, however the stream is chunked', async () => {
  async function* body() {
    for (const part of ['data: a\r', '\ndata:b\n', '\n: silence\n\ndata: c\r\r', 'data: d']) yield bytes(part)
  }
  expect(await all(body())).toEqual(['a\nb', 'c', 'd'])
})

test.each([
  ['line', 'x'.repeat(10_000)],
  ['row of lines', `data: ${'x'.repeat(9992)}\n`],
])('an event with an endless %s is rejected', async (_, part) => {
  let sent = 0
  async function* body() {
    for (; sent < 1000; sent++) yield bytes(sent === 0 ? `data: ${part}` : part)
  }
  await expect(all(body())).rejects.toThrow('an event without an end')
  expect(sent).toBeLessThan(110)
})
