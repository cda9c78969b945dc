import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '#contract/limits'
import { type Hold, liftHold, placeHold, type Retention } from '#contract/retention'
import { call } from '../../api-client/api.ts'
import { patch } from '../../cache/patch-query.ts'
import { t } from '../../i18n/text.ts'
import { shownName } from '../../people/shown-name.ts'
import { allUsers } from '../../people/user-queries.ts'
import { shortDate } from '../../ui/format/short-date.ts'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { SearchSelect } from '../../ui/input/search-select.tsx'
import { retentionRules } from './retention-queries.ts'

interface Props {
  holds: readonly Hold[]
  channels: readonly { id: string; name: string }[]
}

/** The holds, which protect messages from all rules, with a form for new ones. */
export function HoldList({ holds, channels }: Props) {
  const client = useQueryClient()
  const { data: people = [] } = useQuery(allUsers)
  const [about, setAbout] = useState<string>()
  const [reason, setReason] = useState('')
  const onSuccess = (rules: Retention) => patch(client, retentionRules.queryKey, () => rules)
  const placing = useMutation({
    mutationFn: (chosen: string) => {
      const [kind, id] = [chosen.slice(0, 1), chosen.slice(1)]
      return call(placeHold, {
        body: { ...(kind === '#' ? { channelId: id } : { userId: id }), reason: reason.trim() },
      })
    },
    onSuccess: (rules) => {
      onSuccess(rules)
      setAbout(undefined)
      setReason('')
    },
    onError: (problem) => console.error('Failed to place hold:', problem),
  })
  const lifting = useMutation({
    mutationFn: ({ id }: Hold) => call(liftHold, { params: { holdId: id } }),
    onSuccess,
    onError: (problem) => console.error('Failed to lift hold:', problem),
  })
  const held = new Set(holds.map(({ channel, person }) => (person ? `@${person.id}` : `#${channel?.id}`)))
  const options = [
    ...channels.map(({ id, name }) => ({ value: `#${id}`, name: `#${name}` })),
    ...people.map(({ id, name, username }) => ({ value: `@${id}`, name: `${name} (@${username})` })),
  ].filter(({ value }) => !held.has(value))
  return (
    <>
      {holds.length > 0 && (
        <ul aria-label={t('retention.holds')} className="mb-5">
          {holds.map((hold) => (
            <li
              key={hold.id}
              className="flex min-h-11 items-center gap-3 border-line border-t py-1.5 text-ui first:border-t-0"
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <bdi className="block font-[550]">{nameOf(hold)}</bdi>
                <span className="block text-faint text-meta">
                  {[hold.reason, hold.createdBy.name, shortDate(hold.createdAt)].filter(Boolean).join(' · ')}
                </span>
              </span>
              <Button isBusy={lifting.isPending} onClick={() => lifting.mutate(hold)}>
                {t('retention.lift')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="grid max-w-sm gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (about && !placing.isPending) placing.mutate(about)
        }}
      >
        <SearchSelect label={t('retention.hold')} options={options} value={about} onChange={setAbout} />
        <Field
          label={t('retention.reason')}
          maxLength={limits.retention.reason}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button type="submit" variant="line" className="justify-self-start" isBusy={!about || placing.isPending}>
          {t('retention.place')}
        </Button>
        {(placing.error || lifting.error) && (
          <p role="alert" className="text-danger text-ui">
            {t('retention.saveFailed')}
          </p>
        )}
      </form>
    </>
  )
}

function nameOf({ channel, person }: Hold) {
  if (person) return shownName(person.name)
  return channel ? `#${channel.name}` : t('retention.aChannel')
}
