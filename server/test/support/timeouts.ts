import { setTimeout as sleep } from 'node:timers/promises'

/** For waiting for a state, which comes immediately except on a busy machine. */
export const STATE_TIMEOUT_MS = 30_000

/** The maximum response time while the database or the file store does not respond. */
const PROMISED_MS = 5_000

/** Fails if a health check sent after the promised time is answered first: on a busy machine, both are late. */
export async function inTime<T>(answers: Promise<T>, address: string): Promise<T> {
  const isOver = new AbortController()
  const late = async () => {
    await sleep(PROMISED_MS, undefined, { signal: isOver.signal })
    await fetch(`${address}/healthz`)
    throw new Error(`no answer within ${PROMISED_MS} ms`)
  }
  return Promise.race([answers, late()]).finally(() => isOver.abort())
}
