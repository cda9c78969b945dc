import { close, read } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { noteBuffer } from '../process/collect-garbage.ts'
import type { Range } from './storage.ts'

/** Smaller chunks cost more CPU time, larger ones more memory. */
const CHUNK_BYTES = 256 * 1024

/**
 * Streams part of an open file, and closes it. `pipe` alternates between two buffers: the disk fills one while the destination
 * sends the other, so a download of any size takes half a megabyte and creates no garbage. The destination must be done with a
 * chunk when it calls back, as responses and sockets are. Other readers, and transforms, get a new buffer for each chunk.
 */
export class FileStream extends Readable {
  readonly #descriptor: number
  readonly #end: number
  #position: number
  #isReading = false
  /** Closes the file after the current read. */
  #closeLater: (() => void) | undefined

  constructor(descriptor: number, { start, end }: Range) {
    super({ highWaterMark: CHUNK_BYTES })
    this.#descriptor = descriptor
    this.#position = start
    this.#end = end + 1
  }

  override _read() {
    if (this.#isAtEnd()) this.push(null)
    else this.#fill(this.#newBuffer(), (bytes) => this.push(bytes))
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    // Transforms call back while others still use the chunk.
    if (this.#isAtEnd() || destination instanceof Transform) return super.pipe(destination)
    /** The first one is filled next. */
    const buffers = [this.#newBuffer(), this.#newBuffer()] as [Buffer, Buffer]
    let filled: Buffer | undefined
    let isWriting = false

    const readNext = () => {
      if (this.#isReading || filled || this.#isAtEnd()) return
      this.#fill(buffers[0], (bytes) => {
        buffers.reverse()
        filled = bytes
        writeNext()
      })
    }
    const writeNext = () => {
      if (isWriting || !filled || this.destroyed) return
      const bytes = filled
      filled = undefined
      if (this.#isAtEnd()) {
        destination.end(bytes)
        this.push(null)
        this.resume()
        return
      }
      isWriting = true
      destination.write(bytes, () => {
        isWriting = false
        writeNext()
        readNext()
      })
      readNext()
    }
    readNext()
    return destination
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    const closeFile = () => close(this.#descriptor, (failure) => done(error ?? failure))
    // If a descriptor is closed during a read, its number may already belong to another file.
    if (this.#isReading) this.#closeLater = closeFile
    else closeFile()
  }

  #isAtEnd() {
    return this.#position === this.#end
  }

  #newBuffer() {
    const length = Math.min(CHUNK_BYTES, this.#end - this.#position)
    noteBuffer(length)
    return Buffer.allocUnsafeSlow(length)
  }

  #fill(buffer: Buffer, use: (bytes: Buffer) => void) {
    const length = Math.min(buffer.length, this.#end - this.#position)
    this.#isReading = true
    read(this.#descriptor, buffer, 0, length, this.#position, (error, count) => {
      this.#isReading = false
      if (this.#closeLater) return this.#closeLater()
      if (error || count === 0) return this.destroy(error ?? new Error('a file is shorter than its size'))
      this.#position += count
      return use(buffer.subarray(0, count))
    })
  }
}
