import { useEffect, useState } from 'react'
import { t } from '../../i18n/text.ts'

/** How much was done at a time in milliseconds. */
export interface Sample {
  at: number
  done: number
}

/** Older samples say little about the present speed. */
const WINDOW_MS = 60_000
/** Until this time has passed, an estimate would jump. */
const MIN_SAMPLED_MS = 5000
const MINUTE_MS = 60_000
const MAX_MINUTES = 90

/** The samples with a further one, as far as they are needed. A task that begins anew forgets the others. */
export function withSample(samples: readonly Sample[], next: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && next.done < last.done) return [next]
  return [...samples.filter(({ at }) => next.at - at <= WINDOW_MS), next]
}

/** Estimates the milliseconds that a task still takes; undefined while that is not known. */
export function remainingMs(samples: readonly Sample[], total: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < MIN_SAMPLED_MS || last.done <= first.done) return undefined
  return ((total - last.done) * (last.at - first.at)) / (last.done - first.done)
}

/** Says how long a task still takes, as its progress so far suggests; undefined while that is not known. */
export function useRemaining(done: number, total: number): string | undefined {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => setSamples((before) => withSample(before, { at: performance.now(), done })), [done])
  const ms = remainingMs(samples, total)
  if (ms === undefined) return undefined
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 1) return t('ui.remaining.seconds')
  return minutes <= MAX_MINUTES
    ? t('ui.remaining.minutes', { count: minutes })
    : t('ui.remaining.hours', { count: Math.round(minutes / 60) })
}
