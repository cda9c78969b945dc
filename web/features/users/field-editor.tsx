import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useEffect, useState } from 'react'
import { listProfileFields, type ProfileField, profileLimits, setProfileFields } from '#contract/person-cards'
import { call } from '../../api-client/api.ts'
import { explainFailure } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { fieldName } from '../../people/card-queries.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'

const profileFields = queryOptions({
  queryKey: ['profile-fields'] as const,
  queryFn: () => call(listProfileFields, {}),
  staleTime: 0,
})

/** The fields of people's cards: names, order, new ones and removed ones. */
export function FieldEditor() {
  const { data: fields, error, refetch } = useQuery(profileFields)
  useEffect(() => {
    if (error) console.error('Failed to load profile fields:', error)
  }, [error])
  if (!fields && error) return <LoadError text={t('fields.loadFailed')} retry={() => void refetch()} />
  return fields ? <Editor fields={fields} /> : <SkeletonRows />
}

interface Draft {
  key: string
  field?: ProfileField
  name: string
}

function Editor({ fields }: { fields: ProfileField[] }) {
  const client = useQueryClient()
  const [changed, setChanged] = useState<Draft[]>()
  const drafts = changed ?? fields.map((field): Draft => ({ key: field.id, field, name: fieldName(field) }))
  const { mutate, reset, error, isPending, isSuccess } = useMutation({
    mutationFn: () => call(setProfileFields, { body: { fields: drafts.map(fieldOf) } }),
    onSuccess: (saved) => {
      client.setQueryData(profileFields.queryKey, saved)
      setChanged(undefined)
    },
    onError: (failure) => console.error('Failed to save profile fields:', failure),
  })
  const change = (next: Draft[]) => {
    reset()
    setChanged(next)
  }
  const move = (from: number, to: number) => {
    const next = [...drafts]
    next.splice(to, 0, ...next.splice(from, 1))
    change(next)
  }
  const isComplete = drafts.every(({ name }) => name.trim() !== '')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (changed && isComplete && !isPending) mutate()
  }

  return (
    <form onSubmit={submit} className="max-w-md">
      <ul className="grid gap-2">
        {drafts.map(({ key, name }, index) => (
          <li key={key} className="flex items-center gap-1">
            <input
              aria-label={t('fields.name', { number: index + 1 })}
              dir="auto"
              required
              maxLength={profileLimits.label}
              value={name}
              onChange={({ target }) =>
                change(drafts.map((draft) => (draft.key === key ? { ...draft, name: target.value } : draft)))
              }
              className="field-edge h-10 min-w-0 flex-1 rounded-m bg-paper px-3 text-ui outline-none focus-visible:border-pine pointer-coarse:h-11"
            />
            <IconButton name={t('fields.up', { name })} disabled={index === 0} onClick={() => move(index, index - 1)}>
              <ArrowUp size={16} />
            </IconButton>
            <IconButton
              name={t('fields.down', { name })}
              disabled={index === drafts.length - 1}
              onClick={() => move(index, index + 1)}
            >
              <ArrowDown size={16} />
            </IconButton>
            <IconButton
              name={t('fields.remove', { name })}
              onClick={() => change(drafts.filter((draft) => draft.key !== key))}
            >
              <Trash2 size={16} />
            </IconButton>
          </li>
        ))}
      </ul>
      {drafts.length === 0 && <p className="text-soft text-ui">{t('fields.none')}</p>}
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          variant="line"
          disabled={drafts.length >= profileLimits.fields}
          onClick={() => change([...drafts, { key: crypto.randomUUID(), name: '' }])}
        >
          <Plus size={16} />
          {t('fields.add')}
        </Button>
        <Button type="submit" variant="pine" disabled={!changed || !isComplete || isPending}>
          {t('ui.save')}
        </Button>
        <p role="status" className="text-meta">
          {isSuccess && !changed && <span className="text-soft">{t('ui.saved')}</span>}
          {error && <span className="text-danger">{explainFailure(t('fields.saveFailed'), error)}</span>}
        </p>
      </div>
    </form>
  )
}

/** A field whose name was not changed keeps its translated names. */
const fieldOf = ({ field, name }: Draft) =>
  field ? { id: field.id, label: name === fieldName(field) ? field.label : name } : { label: name }
