import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Profile } from '#contract/users'
import { EmojiSign } from '../../../emoji/emoji-sign.tsx'
import { dateFormat } from '../../../i18n/format.ts'
import { t } from '../../../i18n/text.ts'
import { fieldName, personCard } from '../../../people/card-queries.ts'
import { useCurrentStatus } from '../../../people/current-status.ts'
import { serverNow } from '../../../ui/format/clock.ts'
import { sameDay } from '../../../ui/format/clock-time.ts'
import { useLiveText } from '../../../ui/format/relative-time.ts'

/** A person's status in words, and when it ends. */
export function StatusLine({ person }: { person: Profile }) {
  const { emoji, text, until, isSet } = useCurrentStatus(person)
  if (!isSet || (!text && !until)) return null
  return (
    <p className="mt-3 rounded-m bg-sunk px-3 py-2 text-ui">
      <span className="flex items-baseline gap-2">
        <span aria-hidden="true" className="flex-none leading-none">
          <EmojiSign emoji={emoji} />
        </span>
        {text && <bdi className="min-w-0 [overflow-wrap:anywhere]">{text}</bdi>}
        {!text && until && <span className="text-soft">{t('people.card.until', { time: endText(until) })}</span>}
      </span>
      {text && until && (
        <span className="mt-0.5 block text-faint text-meta">{t('people.card.until', { time: endText(until) })}</span>
      )}
    </p>
  )
}

/** '2:00 PM' today, otherwise with the day. */
function endText(until: string) {
  const end = new Date(until)
  const time = { hour: 'numeric', minute: '2-digit' } as const
  const isToday = sameDay(end, new Date(serverNow()))
  return dateFormat(isToday ? time : { weekday: 'short', day: 'numeric', month: 'short', ...time }).format(end)
}

/** The fields of a person, and what time it is where they are. */
export function PersonDetails({ userId }: { userId: string }) {
  const { data: card, error } = useQuery(personCard(userId))
  useEffect(() => {
    if (error) console.error('Failed to load a card:', error)
  }, [error])
  const fields = card?.fields.filter(({ value }) => value !== '') ?? []
  if (!card || (fields.length === 0 && !card.timeZone)) return null
  return (
    <dl className="mt-4 grid gap-2 border-line border-t pt-3 text-ui">
      {fields.map(({ id, label, value }) => (
        <div key={id} className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-2">
          <dt className="truncate text-faint" title={fieldName({ id, label })}>
            {fieldName({ id, label })}
          </dt>
          <dd dir="auto" className="select-text [overflow-wrap:anywhere]">
            {value}
          </dd>
        </div>
      ))}
      {card.timeZone && <LocalTime timeZone={card.timeZone} />}
    </dl>
  )
}

function LocalTime({ timeZone }: { timeZone: string }) {
  const time = useLiveText(() => timeIn(timeZone))
  if (time === '') return null
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-2">
      <dt className="truncate text-faint">{t('people.card.localTime')}</dt>
      <dd className="tabular-nums" title={timeZone}>
        {time}
      </dd>
    </div>
  )
}

/** Empty if this browser does not know the time zone. */
function timeIn(timeZone: string) {
  try {
    return dateFormat({ weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone }).format(new Date(serverNow()))
  } catch {
    return ''
  }
}
