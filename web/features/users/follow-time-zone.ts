import { updateMyCard } from '#contract/person-cards'
import { call } from '../../api-client/api.ts'
import { browserZone } from '../../i18n/time-zones.ts'
import { readItem, saveItem } from '../../ui/device/local-storage.ts'

/** Sends this browser's time zone to the server, once for each change. A time zone that the user chose stays. */
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
