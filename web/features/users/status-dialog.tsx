import { useMutation, useQueryClient } from '@tanstack/react-query'
import { DEFAULT_STATUS, setStatus } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { profileOf, useMyProfile } from '../../people/profile-queries.ts'
import { applyUserStatus } from '../../people/user-queries.ts'
import { useWideScreen } from '../../ui/device/media.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import EmojiPicker from '../../ui/emoji/emoji-picker.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { Button } from '../../ui/input/button.tsx'

/** Picks my status emoji. The dialog closes once the server has stored it. */
export default function StatusDialog({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const client = useQueryClient()
  const profile = useMyProfile(me)
  const isWide = useWideScreen()
  const hasStatus = profile !== undefined && profile.user_status !== DEFAULT_STATUS
  const { mutate, isPending } = useMutation({
    mutationFn: (emoji: string) => call(setStatus, { body: { user_status: emoji } }),
    onSuccess: (profile) => {
      const { id, status, user_status } = profile
      applyUserStatus(client, { userId: id, status, user_status })
      client.setQueryData(profileOf(id).queryKey, profile)
      onClose()
    },
    onError: (error) => {
      console.error('Error updating status:', error)
      showToast(t('users.statusFailed'))
    },
  })

  return (
    <Dialog
      title={t('users.statusTitle')}
      // On a phone it is one page with the picker, which is dark.
      theme={isWide ? undefined : 'dark'}
      tools={
        hasStatus && (
          <Button variant="line" disabled={isPending} onClick={() => mutate(DEFAULT_STATUS)}>
            {t('users.clearStatus')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <div
        aria-busy={isPending}
        className={`overflow-hidden transition-opacity max-wide:min-h-0 max-wide:flex-1 wide:mx-3 wide:mb-3 wide:h-[min(435px,calc(80dvh-68px))] wide:rounded-l ${isPending ? 'opacity-60' : ''}`}
      >
        <EmojiPicker
          person={me.id}
          theme="dark"
          onPick={(emoji) => {
            if (!isPending) mutate(emoji)
          }}
          onClose={onClose}
        />
      </div>
    </Dialog>
  )
}
