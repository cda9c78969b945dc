import type { NotificationSchedule } from '#contract/notification-schedule'
import { browserZone } from '../../i18n/time-zones.ts'

/** A schedule while it is edited: it may be off, and incomplete. */
export interface ScheduleDraft extends NotificationSchedule {
  isOn: boolean
}

/** The draft of a saved schedule; without one, office hours where the browser is. */
export const draftOf = (saved: NotificationSchedule | null): ScheduleDraft =>
  saved
    ? { isOn: true, ...saved }
    : { isOn: false, days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00', timeZone: browserZone() }

/** What a draft saves. */
export const scheduleOf = ({ isOn, days, from, to, timeZone }: ScheduleDraft): NotificationSchedule | null =>
  isOn ? { days: days.toSorted(), from, to, timeZone } : null

export type MissingPart = 'days' | 'from' | 'to'

/** The first part that a draft lacks. */
export function missingPart({ isOn, days, from, to }: ScheduleDraft): MissingPart | undefined {
  if (!isOn) return undefined
  if (days.length === 0) return 'days'
  return from === '' ? 'from' : to === '' ? 'to' : undefined
}

/** Whether two drafts save the same. */
export const savesSame = (a: ScheduleDraft, b: ScheduleDraft) =>
  JSON.stringify(scheduleOf(a)) === JSON.stringify(scheduleOf(b))
