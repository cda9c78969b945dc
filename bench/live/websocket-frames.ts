/** A client's text frame, masked with zeros. */
export function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const size = payload.length
  const head = size < 126 ? [0x81, 0x80 | size] : [0x81, 0xfe, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
}

/**
 * Splits received bytes into frames, without copying complete ones. A frame is passed as two offsets
 * into a buffer that is reused afterwards.
 */
export function createSplitter(take: (opcode: number, bytes: Buffer, from: number, to: number) => void) {
  let rest: Buffer | undefined
  return (chunk: Buffer) => {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (at + 2 <= bytes.length) {
      let from = at + 2
      let size = (bytes[at + 1] as number) & 127
      if (size === 126) {
        if (at + 4 > bytes.length) break
        size = bytes.readUInt16BE(at + 2)
        from = at + 4
      } else if (size === 127) {
        if (at + 10 > bytes.length) break
        size = bytes.readUInt32BE(at + 6)
        from = at + 10
      }
      if (from + size > bytes.length) break
      take((bytes[at] as number) & 15, bytes, from, from + size)
      at = from + size
    }
    rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : undefined
  }
}
