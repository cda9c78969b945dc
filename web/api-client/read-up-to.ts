import { useEffect, useEffectEvent, useState } from 'react'
import { sessionUserId } from '../session/session.ts'
import { onSignOut } from '../session/sign-out-tasks.ts'
import { isRefusal } from './api.ts'

/** How long reads are collected before one is sent. */
const DELAY_MS = 300
const RETRY_DELAY_MS = 5000

/** The conversation or thread that a user reads. */
interface Reading {
  /** The server's cursor; undefined while nothing is to be sent. */
  lastReadSeq: number | undefined
  /** Throws if the server did not store the cursor. */
  send: (seq: number) => Promise<void>
}

/** Collects how far the user of this page has read, and sends it until the server accepts or refuses it. */
export function createReadSender(now: () => Reading) {
  const reader = sessionUserId()
  let seen = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function sendSeen() {
    const seq = seen
    const { lastReadSeq, send } = now()
    timer = undefined
    // Reads are never sent as another user.
    if (lastReadSeq === undefined || seq <= lastReadSeq || sessionUserId() !== reader) return
    try {
      await send(seq)
    } catch (error) {
      console.error('Failed to send the read cursor:', error)
      if (!isRefusal(error)) timer ??= setTimeout(sendSeen, RETRY_DELAY_MS)
    }
  }

  return {
    onSeen(seq: number) {
      if (seq <= seen) return
      seen = seq
      timer ??= setTimeout(sendSeen, DELAY_MS)
    },
    /** Call when the cursor changed: sends what was seen before it was known. */
    onCursor() {
      const { lastReadSeq } = now()
      if (lastReadSeq !== undefined && seen > lastReadSeq) timer ??= setTimeout(sendSeen, DELAY_MS)
    },
    forget() {
      seen = 0
    },
    async sendNow() {
      clearTimeout(timer)
      await sendSeen()
      return undefined
    },
  }
}

/**
 * Sends how far a user has read a conversation or a thread. Pending reads are sent at once when the component unmounts, the
 * page closes or the user signs out.
 */
export function useReadUpTo(lastReadSeq: Reading['lastReadSeq'], send: Reading['send']) {
  const now = useEffectEvent(() => ({ lastReadSeq, send }))
  const [sender] = useState(() => createReadSender(now))
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the cursor changes
  useEffect(() => sender.onCursor(), [sender, lastReadSeq])
  useEffect(() => {
    const { sendNow } = sender
    const unregister = onSignOut({ finish: sendNow })
    window.addEventListener('pagehide', sendNow)
    return () => {
      unregister()
      window.removeEventListener('pagehide', sendNow)
      void sendNow()
    }
  }, [sender])
  return sender
}
