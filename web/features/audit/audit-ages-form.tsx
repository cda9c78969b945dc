import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import { type AuditAges, setAuditAges } from '#contract/audit'
import { limits } from '#contract/limits'
import { call } from '../../api-client/api.ts'
import { fieldText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { auditAges } from './audit-queries.ts'

/** How long lines of the audit log, and the addresses in them, are kept. */
export function AuditAgesForm() {
  const { data, error, refetch } = useQuery(auditAges)
  useEffect(() => {
    if (error) console.error('Failed to load the ages of the audit log:', error)
  }, [error])
  if (!data && error) return <LoadError text={t('audit.ages.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  return <AgesForm ages={data} />
}

const { days, addressDays } = limits.audit

/** What was typed, and its saving. */
function useAgesChange(ages: AuditAges) {
  const client = useQueryClient()
  const [typed, setTyped] = useState<{ [name in keyof AuditAges]?: string }>({})
  // Only what was typed, so as not to set back what was changed elsewhere.
  const changes: Partial<AuditAges> = {
    ...(typed.days !== undefined && { days: Number(typed.days) }),
    ...(typed.addressDays !== undefined && { addressDays: Number(typed.addressDays) }),
  }
  const saving = useMutation({
    mutationFn: () => call(setAuditAges, { body: changes }),
    onSuccess: (saved) => {
      client.setQueryData(auditAges.queryKey, saved)
      setTyped({})
    },
    onError: (failure) => console.error('Failed to save the ages of the audit log:', failure),
  })

  function change(name: keyof typeof typed, text: string) {
    setTyped((before) => ({ ...before, [name]: text }))
    saving.reset()
  }

  return { typed, change, saving, wanted: { ...ages, ...changes } }
}

function AgesForm({ ages }: { ages: AuditAges }) {
  const { typed, change, saving, wanted } = useAgesChange(ages)
  const [isAsking, setAsking] = useState(false)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (saving.isPending) return
    if (wanted.days < ages.days || wanted.addressDays < ages.addressDays) setAsking(true)
    else saving.mutate()
  }

  return (
    <form className="grid max-w-sm gap-4" onSubmit={submit}>
      <Field
        label={t('audit.ages.days')}
        type="number"
        min={days.min}
        max={days.max}
        required
        value={typed.days ?? String(ages.days)}
        onChange={({ target }) => change('days', target.value)}
      />
      <Field
        label={t('audit.ages.addressDays')}
        type="number"
        min={addressDays.min}
        max={days.max}
        required
        value={typed.addressDays ?? String(ages.addressDays)}
        error={fieldText(saving.error, 'addressDays')}
        onChange={({ target }) => change('addressDays', target.value)}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="pine" isBusy={saving.isPending}>
          {t('retention.save')}
        </Button>
        <span role="status" className="text-pine text-ui">
          {saving.isSuccess && t('retention.saved')}
        </span>
      </div>
      {saving.error && !fieldText(saving.error, 'addressDays') && (
        <p role="alert" className="text-danger text-ui">
          {t('audit.ages.failed')}
        </p>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('audit.ages.askTitle')}
          action={t('audit.ages.ask')}
          onConfirm={() => {
            saving.mutate()
            setAsking(false)
          }}
          onClose={() => setAsking(false)}
        >
          {t('audit.ages.askText', { ...wanted })}
        </ConfirmDialog>
      )}
    </form>
  )
}
