import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { sessionUserId } from '../session/session.ts'
import { onSignOut } from '../session/sign-out-tasks.ts'
import { isRefusal } from './api.ts'

/** How long reads are collected before one is sent. */
const DELAY_MS = 300
const RETRY_DELAY_MS = 5000

/**
 * Sends how far a user has read a conversation or a thread, and retries until the server accepts or refuses it. Pending
 * reads are sent at once when the component unmounts, the page closes or the user signs out.
 * @param lastReadSeq the server's cursor; undefined while nothing is to be sent
 * @param send throws if the server did not store the cursor
 */
export function useReadUpTo(lastReadSeq: number | undefined, send: (seq: number) => Promise<void>) {
  const [reader] = useState(sessionUserId)
  const seen = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const sendSeen = useEffectEvent(async () => {
    const seq = seen.current
    timer.current = undefined
    // Reads are never sent as another user.
    if (lastReadSeq === undefined || seq <= lastReadSeq || sessionUserId() !== reader) return
    try {
      await send(seq)
    } catch (error) {
      console.error('Failed to send what was read:', error)
      if (!isRefusal(error)) timer.current ??= setTimeout(sendSeen, RETRY_DELAY_MS)
    }
  })
  // Includes what was seen before the cursor was known.
  useEffect(() => {
    if (lastReadSeq !== undefined && seen.current > lastReadSeq) timer.current ??= setTimeout(sendSeen, DELAY_MS)
  }, [lastReadSeq])
  useEffect(() => {
    const sendNow = async () => {
      clearTimeout(timer.current)
      await sendSeen()
      return undefined
    }
    const unregister = onSignOut({ finish: sendNow })
    window.addEventListener('pagehide', sendNow)
    return () => {
      unregister()
      window.removeEventListener('pagehide', sendNow)
      void sendNow()
    }
  }, [])

  const onSeen = useCallback((seq: number) => {
    if (seq <= seen.current) return
    seen.current = seq
    timer.current ??= setTimeout(() => sendSeen(), DELAY_MS)
  }, [])
  const forget = useCallback(() => {
    seen.current = 0
  }, [])
  return { onSeen, forget }
}
