import { DEFAULT_STATUS, type Profile } from '#contract/users'
import { serverNow } from '../ui/format/clock.ts'
import { useLiveText } from '../ui/format/relative-time.ts'

type Status = Pick<Profile, 'user_status' | 'statusText' | 'statusUntil'>

export const hasEnded = ({ statusUntil }: Status) => statusUntil != null && Date.parse(statusUntil) <= serverNow()

/** A person's current status. It ends on time, without an event. */
export function useCurrentStatus(person: Status | undefined) {
  const isOver = useLiveText(() => (person && hasEnded(person) ? 'over' : '')) !== ''
  const { user_status: emoji = DEFAULT_STATUS, statusText: text = '', statusUntil: until = null } = person ?? {}
  const status = isOver ? { emoji: DEFAULT_STATUS, text: '', until: null } : { emoji, text, until }
  return { ...status, isSet: status.emoji !== DEFAULT_STATUS || status.text !== '' }
}
