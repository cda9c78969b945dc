import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getMailRules, type MailRule, mailRuleNames, setMailRules } from '#contract/mail-rules'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { type PlainTextId, t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'

const queryKey = ['mail-rules'] as const
const names = {
  direct: 'mailRules.direct',
  mentions: 'mailRules.mentions',
  threads: 'mailRules.threads',
  digest: 'mailRules.digest',
} as const satisfies Record<MailRule, PlainTextId>

/** Chooses what is mailed to me. Renders nothing without a mail server. */
export function MailRuleChoice() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => call(getMailRules, {}), staleTime: 0 })
  const saving = useMutation({
    mutationFn: (body: Partial<Record<MailRule, boolean>>) => call(setMailRules, { body }),
    onSuccess: (rules) => client.setQueryData(queryKey, rules),
    onError: (failure) => console.error('Failed to save mail rules:', failure),
  })
  useEffect(() => {
    if (error) console.error('Failed to load mail rules:', error)
  }, [error])
  if (!data && error) return <LoadError text={t('mailRules.loadFailed')} retry={() => void refetch()} />
  if (!data) return <SkeletonRows />
  if (!data.sendsMail) return null
  const shown = { ...data, ...(saving.isPending ? saving.variables : undefined) }
  return (
    <fieldset className="mt-6 border-line border-t pt-5">
      <legend className="float-start mb-1 w-full font-[550] text-ui">{t('mailRules.title')}</legend>
      <p className="clear-both mb-3 max-w-prose text-pretty text-meta text-soft">
        {t('mailRules.hint')} {!data.isConfirmed && t('mailRules.unconfirmed')}
      </p>
      <div className="flex flex-col gap-2">
        {mailRuleNames.map((rule) => (
          <Checkbox
            key={rule}
            label={t(names[rule])}
            checked={shown[rule]}
            onChange={({ target }) => saving.mutate({ [rule]: target.checked })}
          />
        ))}
      </div>
      {saving.error && (
        <p role="alert" className="mt-2 text-danger text-meta">
          {failureText(t('mailRules.failed'), saving.error)}
        </p>
      )}
    </fieldset>
  )
}
