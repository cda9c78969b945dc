import { updateMyCard } from '#contract/person-cards'
import { call } from '../../api-client/api.ts'
import { browserZone } from '../../i18n/time-zones.ts'
import { readItem, saveItem } from '../../ui/device/local-storage.ts'

/** Tells the server where this browser is, once for each place. Somebody who chose a time zone keeps it. */
export async function followTimeZone(me: string) {
  const timeZone = browserZone()
  const key = `parley.zone.${me}`
  if (!timeZone || readItem(key) === timeZone) return
  try {
    await call(updateMyCard, { body: { timeZone } })
    saveItem(key, timeZone)
  } catch (error) {
    console.error('Failed to save the time zone:', error)
  }
}
