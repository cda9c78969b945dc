import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect } from 'react'
import { type PersonCard, profileLimits, updateMyCard } from '#contract/person-cards'
import { call } from '../../api-client/api.ts'
import { explainFailure, fieldText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { allZones, browserZone } from '../../i18n/time-zones.ts'
import { useMe } from '../../me.tsx'
import { fieldName, personCard } from '../../people/card-queries.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { usePersistedText } from '../../ui/input/persisted-text.ts'
import { SearchSelect } from '../../ui/input/search-select.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'

/** Edits what I say about myself on my card. */
export function CardForm() {
  const { id } = useMe()
  const { data: card, error, refetch } = useQuery(personCard(id))
  useEffect(() => {
    if (error) console.error('Failed to load my card:', error)
  }, [error])
  if (!card && error) return <LoadError text={t('users.card.loadFailed')} retry={() => void refetch()} />
  return card ? <Form card={card} /> : <SkeletonRows />
}

/** The option that follows the browser. */
const BROWSER = ''

function Form({ card }: { card: PersonCard }) {
  const { id: me } = useMe()
  const client = useQueryClient()
  const held = { zone: card.choseTimeZone ? card.timeZone : BROWSER, ...valuesOf(card) }
  const { text, write, forget } = usePersistedText(`${me} my card`, JSON.stringify(held))
  const typed = { ...held, ...(JSON.parse(text) as typeof held) }
  const change = (field: string, value: string) => {
    reset()
    write(JSON.stringify({ ...typed, [field]: value }))
  }
  const { mutate, reset, error, isPending, isSuccess } = useMutation({
    mutationFn: () => {
      const { zone, ...values } = typed
      return call(updateMyCard, {
        body: { values, timeZone: zone || browserZone(), choseTimeZone: Boolean(zone) },
      })
    },
    onSuccess: (saved) => {
      forget()
      client.setQueryData(personCard(me).queryKey, saved)
    },
    onError: (failure) => console.error('Failed to save my card:', failure),
  })
  const isChanged = text !== JSON.stringify(held)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (isChanged && !isPending) mutate()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {card.fields.map((field) => (
        <Field
          key={field.id}
          label={fieldName(field)}
          dir="auto"
          maxLength={profileLimits.value}
          value={typed[field.id as keyof typeof typed] ?? ''}
          error={fieldText(error, `values.${field.id}`)}
          onChange={({ target }) => change(field.id, target.value)}
        />
      ))}
      <SearchSelect
        label={t('users.card.timeZone')}
        options={[
          { value: BROWSER, name: t('users.card.browserZone', { zone: zoneName(browserZone()) }) },
          ...allZones().map((zone) => ({ value: zone, name: zoneName(zone) })),
        ]}
        value={typed.zone ?? BROWSER}
        onChange={(zone) => change('zone', zone)}
      />
      <div className="flex items-center justify-end gap-3">
        <p role="status" className="min-w-0 flex-1 text-meta">
          {isSuccess && !isChanged && <span className="text-soft">{t('ui.saved')}</span>}
          {error && <span className="text-danger">{explainFailure(t('users.saveFailed'), error)}</span>}
        </p>
        <Button type="submit" variant="pine" disabled={!isChanged || isPending}>
          {t('users.card.save')}
        </Button>
      </div>
    </form>
  )
}

const valuesOf = ({ fields }: PersonCard): Record<string, string> =>
  Object.fromEntries(fields.map(({ id, value }) => [id, value]))

const zoneName = (zone: string) => zone.replaceAll('_', ' ')
