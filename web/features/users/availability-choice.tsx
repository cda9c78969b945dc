import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Availability, availabilities, setAvailability } from '#contract/availability'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { dateFormat } from '../../i18n/format.ts'
import { type PlainTextId, t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { serverNow } from '../../ui/format/clock.ts'
import { sameDay } from '../../ui/format/clock-time.ts'
import { useLiveText } from '../../ui/format/relative-time.ts'
import { RadioCards } from '../../ui/input/radio-cards.tsx'
import { Select } from '../../ui/input/select.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { myAvailability } from './availability-queries.ts'

type Kind = Availability['availability']

const texts: Record<Kind, { name: PlainTextId; hint: PlainTextId }> = {
  active: { name: 'users.availability.active', hint: 'users.availability.activeHint' },
  away: { name: 'users.availability.away', hint: 'users.availability.awayHint' },
  quiet: { name: 'users.availability.quiet', hint: 'users.availability.quietHint' },
  invisible: { name: 'users.availability.invisible', hint: 'users.availability.invisibleHint' },
}

/** How long somebody is not to be disturbed: minutes, or until the next morning. */
type Span = '30' | '60' | '240' | 'tomorrow'
const spans: readonly Span[] = ['30', '60', '240', 'tomorrow']
const MORNING_HOUR = 9

/** Whether I am away, not to be disturbed or invisible. A choice applies at once. */
export function AvailabilityChoice() {
  const client = useQueryClient()
  const { data: current, error, refetch } = useQuery(myAvailability)
  const [span, setSpan] = useState<Span>('60')
  const change = useMutation({
    mutationFn: (body: { availability: Kind; until: string | null }) => call(setAvailability, { body }),
    // One after the other.
    scope: { id: 'availability' },
    onSuccess: (saved) => client.setQueryData(myAvailability.queryKey, saved),
    onError: (failure) => {
      console.error('Failed to change my availability:', failure)
      return refetch()
    },
  })
  useEffect(() => {
    if (error) console.error('Failed to load my availability:', error)
  }, [error])
  if (!current && error) return <LoadError text={t('ui.loadFailed')} retry={() => void refetch()} />
  if (!current) return <SkeletonRows />
  const chosen = change.isPending ? change.variables.availability : current.availability

  function choose(availability: Kind, forSpan = span) {
    change.mutate({ availability, until: availability === 'quiet' ? endOf(forSpan).toISOString() : null })
  }

  const spanChoice = (
    <div className="mt-2 ps-10">
      <Select
        label={t('users.availability.span')}
        options={spans.map((value) => ({ value, name: spanName(value) }))}
        value={span}
        onChange={(next) => {
          setSpan(next as Span)
          choose('quiet', next as Span)
        }}
      />
    </div>
  )

  return (
    <>
      <RadioCards
        legend={t('users.availability.title')}
        isLegendHidden
        options={availabilities.map((kind) => ({
          value: kind,
          name: t(texts[kind].name),
          hint:
            kind === 'quiet' && chosen === 'quiet' && current.quietUntil
              ? t('people.card.until', { time: endText(current.quietUntil) })
              : t(texts[kind].hint),
          more: kind === chosen && (kind === 'quiet' ? spanChoice : <QuietUntil time={current.quietUntil} />),
        }))}
        value={chosen}
        onChoose={(kind) => choose(kind)}
      />
      {change.error && (
        <p role="alert" className="mt-3 text-danger text-ui">
          {explainFailure(t('users.availability.failed'), change.error)}
        </p>
      )}
    </>
  )
}

/** Says until when nothing notifies me although others see something else. */
function QuietUntil({ time }: { time: string | null }) {
  const isQuiet = useLiveText(() => (Date.parse(time ?? '') > serverNow() ? 'quiet' : '')) !== ''
  return (
    time &&
    isQuiet && (
      <p className="mt-2 ps-10 text-meta text-soft">{t('users.availability.quietUntil', { time: endText(time) })}</p>
    )
  )
}

function endOf(span: Span) {
  const now = new Date(serverNow())
  if (span !== 'tomorrow') return new Date(now.getTime() + Number(span) * 60_000)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING_HOUR)
}

function spanName(span: Span) {
  if (span === 'tomorrow') return t('users.availability.tomorrow')
  return Number(span) < 60
    ? t('users.status.minutes', { minutes: Number(span) })
    : t('users.status.hours', { hours: Number(span) / 60 })
}

/** '2:00 PM' today, otherwise with the day. */
function endText(until: string) {
  const end = new Date(until)
  const time = { hour: 'numeric', minute: '2-digit' } as const
  const isToday = sameDay(end, new Date(serverNow()))
  return dateFormat(isToday ? time : { weekday: 'short', ...time }).format(end)
}
