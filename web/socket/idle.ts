import { limits } from '#contract/limits'
import { readItem, saveItem } from '../ui/device/local-storage.ts'
import { createWatchers } from '../ui/watchers.ts'

/** A person without input in any tab of this browser for this long is shown to others as away. */
export const IDLE_MS = limits.idleMinutes * 60_000
/** A tab stores the time of its last input at most this often. */
const SHARE_INTERVAL_MS = 10_000
/** Not 'scroll': new messages scroll the page. */
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'input']

/** Milliseconds until somebody is idle; 0 if they are. A last input in the future counts as now. */
export const timeToIdle = (lastInputAt: number, now: number) => Math.max(0, Math.min(lastInputAt, now) + IDLE_MS - now)

/** What happens longer after a reload is not due to it, such as signing in. */
const RELOAD_MS = 10_000

/** Whether this page was just reloaded, perhaps automatically. */
const isReloaded = () =>
  performance.now() < RELOAD_MS &&
  performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload')

export type Idleness = ReturnType<typeof trackIdleness>

/** Tracks whether a person is idle in all tabs of this browser. Opening and showing a page is input, reloading it is not. */
export function trackIdleness(me: string) {
  const key = `parley.input.${me}`
  const { watch, notify } = createWatchers()
  let lastInputAt = 0
  let sharedAt = 0
  let wasIdle = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Compares times, because timers are late in hidden tabs and after sleep. */
  function check() {
    const now = Date.now()
    lastInputAt = Math.max(lastInputAt, Number(readItem(key)) || 0)
    // The clock was set back.
    if (lastInputAt > now) share(wasIdle ? now - IDLE_MS : now)
    const leftMs = timeToIdle(lastInputAt, now)
    clearTimeout(timer)
    timer = leftMs > 0 ? setTimeout(check, leftMs) : undefined
    if (wasIdle === (leftMs === 0)) return
    wasIdle = !wasIdle
    notify()
  }

  function share(now: number) {
    lastInputAt = sharedAt = now
    saveItem(key, String(now))
  }

  function onInput() {
    lastInputAt = Date.now()
    // Negative if the clock was set back.
    if (Math.abs(lastInputAt - sharedAt) >= SHARE_INTERVAL_MS) share(lastInputAt)
    if (wasIdle) check()
  }
  const onVisibility = () => document.visibilityState === 'visible' && onInput()
  const onStorage = (event: StorageEvent) => event.key === key && wasIdle && check()

  if (!isReloaded()) {
    if (readItem(key) === undefined) onInput()
    else onVisibility()
  }
  const options = { capture: true, passive: true }
  for (const name of INPUTS) window.addEventListener(name, onInput, options)
  window.addEventListener('storage', onStorage)
  document.addEventListener('visibilitychange', onVisibility)
  check()
  return {
    isIdle() {
      check()
      return wasIdle
    },
    watch,
    end() {
      clearTimeout(timer)
      for (const name of INPUTS) window.removeEventListener(name, onInput, options)
      window.removeEventListener('storage', onStorage)
      document.removeEventListener('visibilitychange', onVisibility)
    },
  }
}
