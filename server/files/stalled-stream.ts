import { PassThrough, pipeline, type Readable } from 'node:stream'
import { storageUnavailable } from '../errors.ts'

/**
 * Passes a stream of bytes on. Fails if none arrive for `ms`, at most twice that, while somebody waits for them; a reader may be as
 * slow as it likes.
 * @throws AppError 503, in the stream
 */
export function unlessStalled(bytes: Readable, ms: number): Readable {
  const passed = new PassThrough()
  let isArriving = true
  bytes.on('data', () => {
    isArriving = true
  })
  const timer = setInterval(() => {
    if (!isArriving && !passed.writableNeedDrain)
      bytes.destroy(storageUnavailable(new Error(`no bytes arrived for ${ms / 1000} s`)))
    isArriving = false
  }, ms)
  pipeline(bytes, passed, () => clearInterval(timer))
  return passed
}
