/** The times that a reminder can be set to with one click. */
export type RemindChoice = 'minutes' | 'hours' | 'tomorrow' | 'monday'

export const REMIND_MINUTES = 20
export const REMIND_HOURS = 3
/** The hour at which a day's work begins. */
export const MORNING = 9

/** The choices with their times, soonest first. Days are those of the device's time zone, whose clocks may change meanwhile. */
export function remindTimes(now: Date): { choice: RemindChoice; time: Date }[] {
  const morningIn = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING)
  const untilMonday = (8 - now.getDay()) % 7 || 7
  return [
    { choice: 'minutes', time: new Date(now.getTime() + REMIND_MINUTES * 60_000) },
    { choice: 'hours', time: new Date(now.getTime() + REMIND_HOURS * 3_600_000) },
    { choice: 'tomorrow', time: morningIn(1) },
    // On Sundays that is tomorrow.
    ...(untilMonday === 1 ? [] : [{ choice: 'monday' as const, time: morningIn(untilMonday) }]),
  ]
}

/** The time of a choice: some time from the click, or the morning that was shown, even if midnight has passed since. */
export const timeFrom = (choice: string, shown: Date, now: Date): Date =>
  remindTimes(now).find((it) => it.choice === choice && RELATIVE.has(choice))?.time ?? shown

const RELATIVE: ReadonlySet<string> = new Set<RemindChoice>(['minutes', 'hours'])

const YEAR_MS = 365 * 24 * 3_600_000

/** The time of a `datetime-local` field; undefined unless it is within the next year. */
export function ownTime(value: string, now: Date): Date | undefined {
  const time = new Date(value)
  const ms = time.getTime() - now.getTime()
  return ms > 0 && ms <= YEAR_MS ? time : undefined
}
