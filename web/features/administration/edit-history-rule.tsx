import { useMutation } from '@tanstack/react-query'
import { setEditHistory } from '#contract/message-versions'
import { call } from '../../api-client/api.ts'
import { failureText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useIdentity, useMe } from '../../me.tsx'
import { Checkbox } from '../../ui/input/checkbox.tsx'

/** Whether earlier texts of edited messages are kept and shown, and a way to change it. */
export function EditHistoryRule() {
  const { hasEditHistory = false } = useMe()
  const { refresh } = useIdentity()
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (isOn: boolean) => {
      await call(setEditHistory, { body: { isOn } })
      await refresh()
    },
    onError: (failure) => console.error('Failed to change edit history:', failure),
  })
  return (
    <div className="max-w-sm text-ui">
      <p className="mb-1.5 font-[550]">{t('editHistoryRule.title')}</p>
      <Checkbox
        label={t('editHistoryRule.label')}
        hint={t('editHistoryRule.hint')}
        checked={isPending ? variables : hasEditHistory}
        onChange={({ target }) => !isPending && mutate(target.checked)}
      />
      {error && (
        <p role="alert" className="mt-1.5 text-danger">
          {failureText(t('editHistoryRule.saveFailed'), error)}
        </p>
      )}
    </div>
  )
}
