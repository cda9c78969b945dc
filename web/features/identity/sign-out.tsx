import { useEffect, useEffectEvent, useRef, useState } from 'react'
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

const names: [keyof Unsent, one: string, many: string][] = [
  ['messages', 'message', 'messages'],
  ['drafts', 'draft', 'drafts'],
  ['edits', 'unfinished edit', 'unfinished edits'],
  ['files', 'attached file', 'attached files'],
]

const UNKNOWN = "Unsent messages couldn't be counted."

/** 'Not sent yet: 1 message and 2 drafts.' */
function unsentSentence(unsent: Unsent): string | undefined {
  const all = names.filter(([kind]) => unsent[kind] > 0)
  const counts = all.map(([kind, one, many]) => `${unsent[kind]} ${unsent[kind] === 1 ? one : many}`)
  return all.length > 0 ? `Not sent yet: ${new Intl.ListFormat('en-GB').format(counts)}.` : undefined
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
    const unsent = await countUnsent().then(unsentSentence, () => UNKNOWN)
    if (unsent) lost.push(unsent)
    // On a phone the button lies under the thumb.
    if (lost.length > 0 || isTouch()) setLost(lost)
    else await leaveNow()
  })
  useEffect(() => void begin(), [])

  return (
    lost && (
      <ConfirmDialog
        title="Sign Out"
        action={lost.length > 0 ? 'Discard and sign out' : 'Sign out'}
        onConfirm={leaveNow}
        onClose={onClose}
      >
        {lost.length > 0
          ? `${lost.join(' ')} Signing out discards everything you haven't sent.`
          : 'Sign out of Parley?'}
      </ConfirmDialog>
    )
  )
}
