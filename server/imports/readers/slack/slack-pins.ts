import type { ChannelRecord, MessageRecord, OmissionReport } from '../../records.ts'
import type { DiskLists } from '../common/disk-lists.ts'
import { type Fields, fieldsOf, firstText, objectsOf, textOf, textsOf, timeOfSeconds } from '../common/values.ts'

type Pin = NonNullable<MessageRecord['pin']>
/** Who pinned which message of a channel, by the message's `ts`. */
export type Pins = Map<string, Pin>

const PINS = 'pins'

/** Remembers the pins in the list of channels. Files and other things can't be pinned here. */
export function listPins(lists: DiskLists, channel: Fields, { key, name }: ChannelRecord, report: OmissionReport) {
  for (const pin of objectsOf(channel['pins'])) {
    const ts = firstText(pin['id'], fieldsOf(pin['message'])['ts'])
    if (/^\d+\.\d+$/.test(ts))
      lists.add(PINS, key, [ts, { at: timeOfSeconds(pin['created']), personKey: firstText(pin['user']) || null }])
    else report.add('pins', firstText(ts, pin['type']) ? `${name}: ${firstText(ts, pin['type'])}` : name)
  }
}

export const listedPins = (lists: DiskLists, channelKey: string): Pins =>
  new Map(lists.all<[string, Pin]>(PINS, channelKey))

/** The pin of a message, which is then removed from the list. Some exports have it only in the message. */
export function pinOf(message: Fields, channelKey: string, pins: Pins): MessageRecord['pin'] {
  const ts = textOf(message['ts'])
  const listed = pins.get(ts)
  pins.delete(ts)
  if (listed || !textsOf(message['pinned_to']).includes(channelKey)) return listed
  const info = fieldsOf(message['pinned_info'])
  return { at: timeOfSeconds(info['pinned_ts']), personKey: firstText(info['pinned_by']) || null }
}
