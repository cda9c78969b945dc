import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { limits } from '#contract/limits'
import { renameWorkspace } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { failureText, fieldText } from '../../api-client/failure-text.ts'
import { t } from '../../i18n/text.ts'
import { useIdentity, useWorkspaceName } from '../../me.tsx'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'

/** What the workspace is called. */
export function WorkspaceName() {
  const name = useWorkspaceName()
  const { refresh } = useIdentity()
  const [typed, setTyped] = useState<string>()
  const saving = useMutation({
    mutationFn: (wanted: string) => call(renameWorkspace, { body: { name: wanted } }),
    onSuccess: async (_, wanted) => {
      await refresh()
      setTyped((current) => (current === wanted ? undefined : current))
    },
    onError: (failure) => console.error('Failed to rename the workspace:', failure),
  })
  const problem = fieldText(saving.error, 'name')

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!saving.isPending) saving.mutate(typed ?? name)
  }

  return (
    <form className="grid max-w-sm gap-4" onSubmit={submit}>
      <Field
        label={t('workspace.name')}
        hint={t('workspace.nameHint')}
        error={problem}
        dir="auto"
        required
        maxLength={limits.workspaceName}
        autoComplete="organization"
        value={typed ?? name}
        onChange={({ target }) => {
          setTyped(target.value)
          if (!saving.isPending) saving.reset()
        }}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="pine" isBusy={saving.isPending} disabled={(typed ?? name) === name}>
          {t('retention.save')}
        </Button>
        <span role="status" className="text-pine text-ui">
          {saving.isSuccess && typed === undefined && t('retention.saved')}
        </span>
      </div>
      {saving.error && !problem && (
        <p role="alert" className="text-danger text-ui">
          {failureText(t('workspace.renameFailed'), saving.error)}
        </p>
      )}
    </form>
  )
}
