import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '#contract/limits'
import { previewRetention, type Retention, setRetention } from '#contract/retention'
import { call } from '../../api-client/api.ts'
import { patch } from '../../cache/patch-query.ts'
import { t } from '../../i18n/text.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'
import { fileSize } from '../../ui/format/file-size.ts'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { SearchSelect } from '../../ui/input/search-select.tsx'
import { Select } from '../../ui/input/select.tsx'
import { retentionRules } from './retention-queries.ts'

interface Props {
  rules: Retention
  channels: readonly { id: string; name: string }[]
}

const WORKSPACE = 'workspace'
type Mode = 'keep' | 'limit' | 'follow'
const SUGGESTED_DAYS = 365

/** The rule that applies in the workspace, or in one channel. */
function ruleFor(rules: Retention, where: string): { mode: Mode; days: number } {
  const days = where === WORKSPACE ? rules.days : rules.channels.find(({ id }) => id === where)?.days
  if (days === undefined) return { mode: 'follow', days: rules.days ?? SUGGESTED_DAYS }
  return days ? { mode: 'limit', days } : { mode: 'keep', days: SUGGESTED_DAYS }
}

/** Sets how long messages are kept in the workspace or in one channel, after it has shown what that would delete. */
export function RuleForm({ rules, channels }: Props) {
  const client = useQueryClient()
  const [where, setWhere] = useState(WORKSPACE)
  const [mode, setMode] = useState(() => ruleFor(rules, WORKSPACE).mode)
  const [typed, setTyped] = useState(() => String(ruleFor(rules, WORKSPACE).days))
  const channelId = where === WORKSPACE ? undefined : where
  const days = Number(typed)
  const isValid = mode !== 'limit' || (Number.isInteger(days) && days >= 1 && days <= limits.retention.days)
  const value = mode === 'limit' ? days : mode === 'keep' && channelId ? 0 : null
  const body = { days: value, ...(channelId && { channelId }) }
  const preview = useMutation({ mutationFn: () => call(previewRetention, { body: { ...body, days } }) })
  const saving = useMutation({
    mutationFn: () => call(setRetention, { body }),
    onSuccess: (saved) => patch(client, retentionRules.queryKey, () => saved),
    onSettled: () => preview.reset(),
  })
  const failed = (saving.error && t('retention.saveFailed')) ?? (preview.error && t('retention.previewFailed'))
  const modes: Mode[] = channelId ? ['follow', 'limit', 'keep'] : ['keep', 'limit']
  const names = { keep: t('retention.keep'), limit: t('retention.limit'), follow: t('retention.follow') }
  const change = (act: () => void) => {
    act()
    saving.reset()
    // A preview on its way tells nothing about what is chosen now.
    preview.reset()
  }
  return (
    <form
      className="grid max-w-sm gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isValid) return
        if (mode === 'limit') preview.mutate()
        else saving.mutate()
      }}
    >
      {channels.length > 0 && (
        <SearchSelect
          label={t('retention.where')}
          options={[
            { value: WORKSPACE, name: t('retention.workspace') },
            ...channels.map(({ id, name }) => ({ value: id, name: `#${name}` })),
          ]}
          value={where}
          onChange={(next) =>
            change(() => {
              const rule = ruleFor(rules, next)
              setWhere(next)
              setMode(rule.mode)
              setTyped(String(rule.days))
            })
          }
        />
      )}
      <Select
        label={t('retention.rule')}
        options={modes.map((each) => ({ value: each, name: names[each] }))}
        value={mode}
        onChange={(next) => change(() => setMode(next as Mode))}
      />
      {mode === 'limit' && (
        <Field
          label={t('retention.days')}
          type="number"
          min={1}
          max={limits.retention.days}
          required
          value={typed}
          onChange={({ target }) => change(() => setTyped(target.value))}
        />
      )}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="pine" isBusy={preview.isPending || saving.isPending}>
          {mode === 'limit' ? t('retention.preview') : t('retention.save')}
        </Button>
        <span role="status" className="text-pine text-ui">
          {saving.isSuccess && t('retention.saved')}
        </span>
      </div>
      {failed && (
        <p role="alert" className="text-danger text-ui">
          {failed}
        </p>
      )}
      {preview.data && (
        <ConfirmDialog
          title={t('retention.confirmTitle')}
          action={t('retention.confirm')}
          onConfirm={() => saving.mutate()}
          onClose={() => preview.reset()}
        >
          {t('retention.preview.text', {
            messages: preview.data.messages,
            files: preview.data.files,
            size: fileSize(preview.data.bytes),
            days,
          })}
        </ConfirmDialog>
      )}
    </form>
  )
}
