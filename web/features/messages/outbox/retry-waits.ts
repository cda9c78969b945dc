import { retryDelay } from '#contract/retry-delay'

const RETRY = { firstMs: 1000, maxMs: 30_000 }

/** Tracks conversations that wait for a retry, longer after each failure. `onOver` is called when one may retry. */
export function createRetryWaits(onOver: (conversation: string) => void) {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const failures = new Map<string, number>()
  function end(conversation: string) {
    clearTimeout(timers.get(conversation))
    timers.delete(conversation)
    failures.delete(conversation)
  }
  return {
    has: (conversation: string) => timers.has(conversation),
    /** @param retryAfterMs the delay that the server asked for */
    begin(conversation: string, retryAfterMs: number | undefined) {
      const failed = (failures.get(conversation) ?? 0) + 1
      clearTimeout(timers.get(conversation))
      failures.set(conversation, failed)
      const again = () => {
        timers.delete(conversation)
        onOver(conversation)
      }
      timers.set(conversation, setTimeout(again, retryAfterMs ?? retryDelay(failed, RETRY)))
    },
    /** Ends the wait and resets the delay, after a success or for an immediate retry. */
    end,
    endAll() {
      for (const conversation of [...timers.keys()]) end(conversation)
    },
  }
}
