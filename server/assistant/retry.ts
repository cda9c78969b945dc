import { setTimeout as pause } from 'node:timers/promises'

/** Tries, a second apart. */
const TRIES = 5

/** Does what must be done also where the database is busy or away for a moment: a repeat must do no harm. */
export async function retry<T>(act: () => Promise<T>, isOver: () => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await act()
    } catch (error) {
      const { status = 500 } = error as { status?: number }
      if (status < 500 || attempt === TRIES || isOver()) throw error
      await pause(1000)
    }
}
