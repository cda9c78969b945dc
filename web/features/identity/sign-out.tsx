import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatList } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { useIdentity } from '../../me.tsx'
import { finishInAllTabs, signOut } from '../../session/sign-out.ts'
import { useSocket } from '../../socket/socket-context.ts'
import { isTouch } from '../../ui/device/media.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'

type Unsent = Record<'messages' | 'drafts' | 'edits' | 'files', number>

interface Props {
  /** How many of each would be lost; throws if unknown. */
  countUnsent: () => Promise<Unsent>
  /** Whether a message is being sent. */
  isSending: () => boolean
  onClose: () => void
}

/** Time for 'offline' to reach the server before the socket closes. */
const STATUS_DELAY_MS = 100

/** How long signing out waits for messages being sent. */
const SEND_TIMEOUT_MS = 3000
const POLL_INTERVAL_MS = 50

async function untilSent(isSending: () => boolean) {
  const end = Date.now() + SEND_TIMEOUT_MS
  while (isSending() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
}

const counted: [keyof Unsent, (count: number) => string][] = [
  ['messages', (count) => t('identity.signOut.messages', { count })],
  ['drafts', (count) => t('identity.signOut.drafts', { count })],
  ['edits', (count) => t('identity.signOut.edits', { count })],
  ['files', (count) => t('identity.signOut.files', { count })],
]

/** 'Not sent yet: 1 message and 2 drafts.' */
function unsentSentence(unsent: Unsent): string | undefined {
  const counts = counted.filter(([kind]) => unsent[kind] > 0).map(([kind, textOf]) => textOf(unsent[kind]))
  return counts.length > 0 ? t('identity.signOut.unsent', { unsent: formatList(counts) }) : undefined
}

/** Finishes pending work, then signs out. It asks first if something would be lost. */
export default function SignOut({ countUnsent, isSending, onClose }: Props) {
  const { leave } = useIdentity()
  const socket = useSocket()
  /** One sentence per kind of loss. */
  const [lost, setLost] = useState<string[]>()
  const hasBegun = useRef(false)

  async function leaveNow() {
    setLost(undefined)
    socket?.emit('status:update', 'offline')
    await new Promise((resolve) => setTimeout(resolve, STATUS_DELAY_MS))
    await signOut(leave)
  }

  const begin = useEffectEvent(async () => {
    if (hasBegun.current) return
    hasBegun.current = true
    const [lost] = await Promise.all([finishInAllTabs(), untilSent(isSending)])
    const unsent = await countUnsent().then(unsentSentence, () => t('identity.signOut.uncounted'))
    if (unsent) lost.push(unsent)
    // On touch devices it always asks, because the button is easily hit by accident.
    if (lost.length > 0 || isTouch()) setLost(lost)
    else await leaveNow()
  })
  useEffect(() => void begin(), [])

  return (
    lost && (
      <ConfirmDialog
        title={t('identity.signOut.title')}
        action={lost.length > 0 ? t('identity.signOut.discard') : t('identity.signOut.button')}
        onConfirm={leaveNow}
        onClose={onClose}
      >
        {lost.length > 0 ? t('identity.signOut.lost', { losses: lost.join(' ') }) : t('identity.signOut.question')}
      </ConfirmDialog>
    )
  )
}
