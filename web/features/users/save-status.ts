import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { setStatus } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { t } from '../../i18n/text.ts'
import { applyUserStatus, profileOf } from '../../people/user-queries.ts'
import { showToast } from '../../ui/feedback/toast.tsx'
import { serverNow } from '../../ui/format/clock.ts'
import { myAvailability } from './availability-queries.ts'
import { endOf } from './status-end.ts'
import type { StatusDraft } from './status-fields.tsx'

interface Held {
  draft: StatusDraft
  /** When the held status ends. */
  until: string | null
}

/** Saves a status. `isQuietHeld`: whether do not disturb is on until the held one ends. */
export function useSaveStatus(held: Held, onSaved: () => void) {
  const client = useQueryClient()
  const { data: availability } = useQuery(myAvailability)
  // Without it, saving could end do not disturb by mistake.
  const isQuietThen = async () =>
    (availability?.isStatusQuiet ?? (await client.fetchQuery(myAvailability)).isStatusQuiet) === true
  const saving = useMutation({
    mutationFn: async ({ emoji, draft: { text, end, custom, isQuiet } }: { emoji: string; draft: StatusDraft }) => {
      // A time that was not changed keeps its seconds.
      const isSameEnd = end === 'custom' && custom === held.draft.custom
      const until = isSameEnd ? held.until : isoOf(endOf(end, new Date(serverNow()), custom))
      const more = until !== null && (isQuiet ?? (await isQuietThen())) && { isQuiet: true }
      return call(setStatus, { body: { user_status: emoji, text, until, ...more } })
    },
    onSuccess: (saved) => {
      const { id: userId, status, user_status, statusText = '', statusUntil = null } = saved
      const { availability = null, quietUntil = null } = saved
      applyUserStatus(client, { userId, status, user_status, statusText, statusUntil, availability, quietUntil })
      client.setQueryData(profileOf(userId).queryKey, saved)
      onSaved()
    },
    onError: (failure) => {
      console.error('Error updating status:', failure)
      showToast(t('users.statusFailed'))
    },
  })
  return { ...saving, isQuietHeld: availability?.isStatusQuiet === true }
}

const isoOf = (date: Date | null) => (date && !Number.isNaN(date.getTime()) ? date.toISOString() : null)
