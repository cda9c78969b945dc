import { setTimeout as sleep } from 'node:timers/promises'

/** For waiting on a state, which comes at once except on a busy machine. */
export const STATE_TIMEOUT_MS = 30_000

/** The longest time until a response while the database or the file store does not respond. */
const PROMISED_MS = 5_000

/**
 * Fails if a health check that is sent when the promised time is over is answered first: on a busy machine both are late.
 */
export async function inTime<T>(answers: Promise<T>, address: string): Promise<T> {
  const isOver = new AbortController()
  const late = async () => {
    await sleep(PROMISED_MS, undefined, { signal: isOver.signal })
    await fetch(`${address}/healthz`)
    throw new Error(`no answer within ${PROMISED_MS} ms`)
  }
  return Promise.race([answers, late()]).finally(() => isOver.abort())
}
