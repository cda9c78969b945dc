import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint'
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

interface Draft {
  /** The workspace, or the id of a channel. */
  where: string
  mode: Mode
  /** The number of days, as typed. */
  typed: string
}

/** The rule that applies in the workspace, or in one channel. */
function draftOf(rules: Retention, where: string): Draft {
  const days = where === WORKSPACE ? rules.days : rules.channels.find(({ id }) => id === where)?.days
  if (days === undefined) return { where, mode: 'follow', typed: String(rules.days ?? SUGGESTED_DAYS) }
  return days ? { where, mode: 'limit', typed: String(days) } : { where, mode: 'keep', typed: String(SUGGESTED_DAYS) }
}

/** The rule in the server's form: 0 days keep everything in a channel, null follows the workspace. */
function ruleOf({ where, mode, typed }: Draft) {
  const channelId = where === WORKSPACE ? undefined : where
  const days = mode === 'limit' ? Number(typed) : mode === 'keep' && channelId ? 0 : null
  return { days, ...(channelId && { channelId }) }
}

const isValid = ({ mode, typed }: Draft) => {
  const days = Number(typed)
  return mode !== 'limit' || (Number.isInteger(days) && days >= 1 && days <= limits.retention.days)
}

/** Sets how long messages are kept in the workspace or in one channel, after showing what that would delete. */
export function RuleForm({ rules, channels }: Props) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(rules, WORKSPACE))
  const rule = ruleOf(draft)
  const days = Number(draft.typed)
  const preview = useMutation({ mutationFn: () => call(previewRetention, { body: { ...rule, days } }) })
  const saving = useMutation({
    mutationFn: () => call(setRetention, { body: rule }),
    onSuccess: (saved) => patch(client, retentionRules.queryKey, () => saved),
    onSettled: () => preview.reset(),
  })
  const failed = (saving.error && t('retention.saveFailed')) ?? (preview.error && t('retention.previewFailed'))

  function change(next: Partial<Draft>) {
    setDraft((before) => ({ ...before, ...next }))
    saving.reset()
    // A preview in flight does not apply to the current choice.
    preview.reset()
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!isValid(draft)) return
    if (draft.mode === 'limit') preview.mutate()
    else saving.mutate()
  }

  return (
    <form className="grid max-w-sm gap-4" onSubmit={submit}>
      {channels.length > 0 && (
        <SearchSelect
          label={t('retention.where')}
          options={[
            { value: WORKSPACE, name: t('retention.workspace') },
            ...channels.map(({ id, name }) => ({ value: id, name: `#${name}` })),
          ]}
          value={draft.where}
          onChange={(where) => change(draftOf(rules, where))}
        />
      )}
      <RuleFields draft={draft} onChange={change} />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="pine" isBusy={preview.isPending || saving.isPending}>
          {draft.mode === 'limit' ? t('retention.preview') : t('retention.save')}
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
        <DeletionQuestion
          deleted={preview.data}
          days={days}
          onConfirm={() => saving.mutate()}
          onClose={preview.reset}
        />
      )}
    </form>
  )
}

function RuleFields({
  draft: { where, mode, typed },
  onChange,
}: {
  draft: Draft
  onChange: (next: Partial<Draft>) => void
}) {
  const modes: Mode[] = where === WORKSPACE ? ['keep', 'limit'] : ['follow', 'limit', 'keep']
  const names = { keep: t('retention.keep'), limit: t('retention.limit'), follow: t('retention.follow') }
  return (
    <>
      <Select
        label={t('retention.rule')}
        options={modes.map((each) => ({ value: each, name: names[each] }))}
        value={mode}
        onChange={(next) => onChange({ mode: next as Mode })}
      />
      {mode === 'limit' && (
        <Field
          label={t('retention.days')}
          type="number"
          min={1}
          max={limits.retention.days}
          required
          value={typed}
          onChange={({ target }) => onChange({ typed: target.value })}
        />
      )}
    </>
  )
}

interface QuestionProps {
  /** What the rule would delete. */
  deleted: ReplyOf<typeof previewRetention>
  days: number
  onConfirm: () => void
  onClose: () => void
}

function DeletionQuestion({ deleted: { messages, files, bytes }, days, onConfirm, onClose }: QuestionProps) {
  return (
    <ConfirmDialog
      title={t('retention.confirmTitle')}
      action={t('retention.confirm')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {t('retention.preview.text', { messages, files, size: fileSize(bytes), days })}
    </ConfirmDialog>
  )
}
