import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useIdentity } from '../../me.tsx'
import { finishInAllTabs, signOut } from '../../session/sign-out.ts'
import { useSocket } from '../../socket/socket-context.ts'
import ConfirmDialog from '../../ui/dialog/confirm-dialog.tsx'

type Unsent = Record<'messages' | 'drafts' | 'edits' | 'files', number>

interface Props {
  /** How much of each would be lost by leaving; throws where that cannot be known. */
  countUnsent: () => Promise<Unsent>
  /** Whether one of them is on its way. */
  isSending: () => boolean
  onClose: () => void
}

/** Milliseconds in which 'offline' goes out before the connection is taken down. */
const FAREWELL_MS = 100

/** Milliseconds that signing out leaves messages to arrive, and between two looks at them. */
const SEND_TIMEOUT_MS = 3000
const LOOK_MS = 50

async function arrival(isSending: () => boolean) {
  const end = Date.now() + SEND_TIMEOUT_MS
  while (isSending() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

const names: [keyof Unsent, one: string, many: string][] = [
  ['messages', 'message', 'messages'],
  ['drafts', 'draft', 'drafts'],
  ['edits', 'unfinished edit', 'unfinished edits'],
  ['files', 'attached file', 'attached files'],
]

const UNKNOWN = 'Unsent messages could not be counted.'

/** 'Not sent yet: 1 message and 2 drafts.' */
function unsentSentence(unsent: Unsent): string | undefined {
  const all = names.filter(([kind]) => unsent[kind] > 0)
  const counts = all.map(([kind, one, many]) => `${unsent[kind]} ${unsent[kind] === 1 ? one : many}`)
  return all.length > 0 ? `Not sent yet: ${new Intl.ListFormat('en-GB').format(counts)}.` : undefined
}

/** Finishes what was asked for, then signs out; asks before, where something would be lost. */
export default function SignOut({ countUnsent, isSending, onClose }: Props) {
  const { leave } = useIdentity()
  const socket = useSocket()
  /** A sentence for each thing. */
  const [lost, setLost] = useState<string[]>()
  const hasBegun = useRef(false)

  async function goOn() {
    // Once.
    setLost(undefined)
    socket?.emit('status:update', 'offline')
    await new Promise((resolve) => setTimeout(resolve, FAREWELL_MS))
    await signOut(leave)
  }

  const begin = useEffectEvent(async () => {
    if (hasBegun.current) return
    hasBegun.current = true
    const [lost] = await Promise.all([finishInAllTabs(), arrival(isSending)])
    const unsent = await countUnsent().then(unsentSentence, () => UNKNOWN)
    if (unsent) lost.push(unsent)
    if (lost.length > 0) setLost(lost)
    else await goOn()
  })
  useEffect(() => void begin(), [])

  return (
    lost && (
      <ConfirmDialog title="Sign Out" action="Discard and sign out" onConfirm={goOn} onClose={onClose}>
        {lost.join(' ')} Signing out discards everything that was not sent.
      </ConfirmDialog>
    )
  )
}
