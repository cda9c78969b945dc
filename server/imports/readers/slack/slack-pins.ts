import type { MessageRecord, OmissionReport } from '../../records.ts'
import { type Fields, fieldsOf, firstText, objectsOf, textOf, textsOf, timeOfSeconds } from '../common/values.ts'

/** Who pinned which message of a channel, by the message's `ts`. */
export type Pins = Map<string, NonNullable<MessageRecord['pin']>>

/** Of most channels. */
const NO_PINS: Pins = new Map()

/** The pins in the list of channels. Files and other things can't be pinned here. */
export function pinsOf(channel: Fields, name: string, report: OmissionReport): Pins {
  const pins: Pins = new Map()
  for (const pin of objectsOf(channel['pins'])) {
    const ts = firstText(pin['id'], fieldsOf(pin['message'])['ts'])
    if (/^\d+\.\d+$/.test(ts))
      pins.set(ts, { at: timeOfSeconds(pin['created']), personKey: firstText(pin['user']) || null })
    else report.add('pins', firstText(ts, pin['type']) ? `${name}: ${firstText(ts, pin['type'])}` : name)
  }
  return pins.size > 0 ? pins : NO_PINS
}

/** The pin of a message, which is then removed from the list. Some exports have it only in the message. */
export function pinOf(message: Fields, channelKey: string, pins: Pins): MessageRecord['pin'] {
  const ts = textOf(message['ts'])
  const listed = pins.get(ts)
  pins.delete(ts)
  if (listed || !textsOf(message['pinned_to']).includes(channelKey)) return listed
  const info = fieldsOf(message['pinned_info'])
  return { at: timeOfSeconds(info['pinned_ts']), personKey: firstText(info['pinned_by']) || null }
}
