const MAX_EVENT_CHARACTERS = 1_000_000
/** Many times the size of an answer and its reasoning. */
const MAX_STREAM_BYTES = 16 * 1024 * 1024

/** The data of each event of a stream (`text/event-stream`), in order. @throws Error if an event or the stream is too long */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  let length = 0
  let bytesRead = 0
  for await (const bytes of body) {
    bytesRead += bytes.byteLength
    if (bytesRead > MAX_STREAM_BYTES) throw new Error('a stream without an end')
    rest += decoder.decode(bytes, { stream: true })
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() as string
    for (const line of lines) {
      if (line.startsWith('data:')) {
        data.push(line.slice(5).replace(/^ /, ''))
        length += line.length
      } else if (line === '' && data.length > 0) {
        yield data.join('\n')
        data = []
        length = 0
      }
    }
    if (length + rest.length > MAX_EVENT_CHARACTERS) throw new Error('an event without an end')
  }
  if (rest.startsWith('data:')) data.push(rest.slice(5).trim())
  if (data.length > 0) yield data.join('\n')
}
