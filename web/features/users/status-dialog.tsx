import { type SubmitEvent, useState } from 'react'
import { DEFAULT_STATUS } from '#contract/users'
import { fieldText } from '../../api-client/failure-text.ts'
import EmojiPicker from '../../emoji/emoji-picker.tsx'
import { EmojiSign } from '../../emoji/emoji-sign.tsx'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { useCurrentStatus } from '../../people/current-status.ts'
import { useMyProfile } from '../../people/profile-queries.ts'
import { useWideScreen } from '../../ui/device/media.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { localTime } from '../../ui/format/local-time.ts'
import { Button } from '../../ui/input/button.tsx'
import { useSaveStatus } from './save-status.ts'
import { type StatusDraft, StatusFields } from './status-fields.tsx'

const nothing: StatusDraft = { text: '', end: 'never', custom: '' }

/**
 * Sets my status: a text, its end, and an emoji. Choosing the emoji saves all three. The dialog closes once the server has stored
 * it.
 */
export default function StatusDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
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
  const { mutate, isPending, error, isQuietHeld } = useSaveStatus({ draft: held, until: current.until }, onClose)
  const [lacksTime, setLacksTime] = useState(false)
  const save = (emoji: string) => {
    const lacks = draft.end === 'custom' && draft.custom === ''
    setLacksTime(lacks)
    if (!isPending && !lacks) mutate({ emoji, draft })
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
        <StatusFields
          draft={draft}
          onChange={(next) => {
            setChanged(next)
            setLacksTime(false)
          }}
          isQuietHeld={isQuietHeld}
          problem={lacksTime ? t('notifications.schedule.noTime') : fieldText(error, 'until')}
        />
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
