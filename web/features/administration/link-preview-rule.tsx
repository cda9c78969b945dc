import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setLinkPreviewRule } from '#contract/link-previews'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { linkPreviewRule } from './administration-queries.ts'

/** Whether links in new messages get a preview, and a way to change it unless the server's settings decide. */
export function LinkPreviewRule() {
  const client = useQueryClient()
  const { data: rule, error, refetch } = useQuery(linkPreviewRule)
  const { mutate, isPending, variables, ...saving } = useMutation({
    mutationFn: (isOn: boolean) => call(setLinkPreviewRule, { body: { isOn } }),
    onSuccess: (saved) => client.setQueryData(linkPreviewRule.queryKey, saved),
    onError: (failure) => console.error('Failed to change link previews:', failure),
  })
  useEffect(() => {
    if (error) console.error('Failed to load the rule for link previews:', error)
  }, [error])
  if (!rule && error) return <LoadError text={t('linkPreviewRule.loadFailed')} retry={() => void refetch()} />
  if (!rule) return <SkeletonRows />
  return (
    <div className="max-w-sm text-ui">
      <p className="mb-1.5 font-[550]">{t('linkPreviewRule.title')}</p>
      {rule.isFixed ? (
        <p className="text-pretty text-soft">{t('linkPreviewRule.fixed')}</p>
      ) : (
        <Checkbox
          label={t('linkPreviewRule.label')}
          hint={t('linkPreviewRule.hint')}
          checked={isPending ? variables : rule.isOn}
          onChange={({ target }) => !isPending && mutate(target.checked)}
        />
      )}
      {saving.error && (
        <p role="alert" className="mt-1.5 text-danger">
          {failureText(t('linkPreviewRule.saveFailed'), saving.error)}
        </p>
      )}
    </div>
  )
}
