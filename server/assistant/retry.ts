import { setTimeout as pause } from 'node:timers/promises'

const MAX_ATTEMPTS = 5
const RETRY_DELAY_MS = 1000

/** Retries an idempotent action while the database is busy or unreachable. */
export async function retry<T>(act: () => Promise<T>, isOver: () => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await act()
    } catch (error) {
      const { status = 500 } = error as { status?: number }
      if (status < 500 || attempt === MAX_ATTEMPTS || isOver()) throw error
      await pause(RETRY_DELAY_MS)
    }
}
