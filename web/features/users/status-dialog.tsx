import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { DEFAULT_STATUS, setStatus } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { fieldText } from '../../api-client/failure-text.ts'
import EmojiPicker from '../../emoji/emoji-picker.tsx'
import { EmojiSign } from '../../emoji/emoji-sign.tsx'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { useCurrentStatus } from '../../people/current-status.ts'
import { useMyProfile } from '../../people/profile-queries.ts'
import { applyUserStatus, profileOf } from '../../people/user-queries.ts'
import { useWideScreen } from '../../ui/device/media.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { serverNow } from '../../ui/format/clock.ts'
import { localTime } from '../../ui/format/local-time.ts'
import { Button } from '../../ui/input/button.tsx'
import { endOf } from './status-end.ts'
import { type StatusDraft, StatusFields } from './status-fields.tsx'

const nothing: StatusDraft = { text: '', end: 'never', custom: '' }

/**
 * Sets my status: a text, its end, and an emoji. Choosing the emoji saves all three. The dialog closes once the server has stored
 * it.
 */
export default function StatusDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const client = useQueryClient()
  const profile = useMyProfile(me)
  const current = useCurrentStatus(profile)
  const isWide = useWideScreen()
  const [changed, setChanged] = useState<StatusDraft>()
  const held: StatusDraft = {
    text: current.text,
    end: current.until === null ? 'never' : 'custom',
    custom: current.until === null ? '' : localTime(new Date(current.until)),
  }
  const draft = changed ?? held
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ emoji, draft: { text, end, custom } }: { emoji: string; draft: StatusDraft }) => {
      // A time that was not changed keeps its seconds.
      const until = end === 'custom' && custom === held.custom ? current.until : isoOf(endOf(end, now(), custom))
      return call(setStatus, { body: { user_status: emoji, text, until } })
    },
    onSuccess: (saved) => {
      const { id, status, user_status, statusText = '', statusUntil = null } = saved
      applyUserStatus(client, { userId: id, status, user_status, statusText, statusUntil })
      client.setQueryData(profileOf(id).queryKey, saved)
      onClose()
    },
    onError: (failure) => {
      console.error('Error updating status:', failure)
      showToast(t('users.statusFailed'))
    },
  })
  const save = (emoji: string) => {
    if (!isPending) mutate({ emoji, draft })
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    save(current.emoji)
  }

  return (
    <Dialog
      title={t('users.statusTitle')}
      // On a phone it is one page with the picker, which is dark.
      theme={isWide ? undefined : 'dark'}
      tools={
        current.isSet && (
          <Button variant="line" disabled={isPending} onClick={() => mutate({ emoji: DEFAULT_STATUS, draft: nothing })}>
            {t('users.clearStatus')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <form onSubmit={submit} className="px-6 pb-4 max-wide:px-(--gutter)">
        <StatusFields draft={draft} onChange={setChanged} problem={fieldText(error, 'until')} />
        <div className="mt-3 flex items-center gap-3">
          <p className="min-w-0 flex-1 text-pretty text-faint text-meta">{t('users.status.pickHint')}</p>
          <Button type="submit" variant="pine" disabled={!changed || isPending}>
            <span className="leading-none">
              <EmojiSign emoji={current.emoji} />
            </span>
            {t('ui.save')}
          </Button>
        </div>
      </form>
      <div
        aria-busy={isPending}
        className={`overflow-hidden transition-opacity max-wide:min-h-64 max-wide:flex-1 wide:mx-3 wide:mb-3 wide:h-[min(435px,calc(80dvh-220px))] wide:min-h-60 wide:rounded-l ${isPending ? 'opacity-60' : ''}`}
      >
        <EmojiPicker person={me.id} theme="dark" onPick={save} onClose={onClose} />
      </div>
    </Dialog>
  )
}

const now = () => new Date(serverNow())
const isoOf = (date: Date | null) => (date && !Number.isNaN(date.getTime()) ? date.toISOString() : null)
