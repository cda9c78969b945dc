import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { sessionUserId } from '../session/session.ts'
import { onSignOut } from '../session/sign-out-tasks.ts'
import { isRefusal } from './api.ts'

/** Milliseconds in which more comes on screen before it is sent; until it is sent again after a failure. */
const DELAY_MS = 300
const RETRY_DELAY_MS = 5000

/**
 * Sends how far somebody has seen a conversation or a thread, and again until the server has it or refuses it; what is
 * still to be sent goes at once where they go on, go away or sign out.
 * @param lastReadSeq how far the server knows it was read; undefined while nothing is to be sent
 * @param send throws where the server does not have it
 */
export function useReadUpTo(lastReadSeq: number | undefined, send: (seq: number) => Promise<void>) {
  const [reader] = useState(sessionUserId)
  const seen = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const sendSeen = useEffectEvent(async () => {
    const seq = seen.current
    timer.current = undefined
    // What one person read is never sent as another's.
    if (lastReadSeq === undefined || seq <= lastReadSeq || sessionUserId() !== reader) return
    try {
      await send(seq)
    } catch (error) {
      console.error('Could not say what was read:', error)
      if (!isRefusal(error)) timer.current ??= setTimeout(sendSeen, RETRY_DELAY_MS)
    }
  })
  // Also what was seen before it was known who reads.
  useEffect(() => {
    if (lastReadSeq !== undefined && seen.current > lastReadSeq) timer.current ??= setTimeout(sendSeen, DELAY_MS)
  }, [lastReadSeq])
  useEffect(() => {
    const sendNow = async () => {
      clearTimeout(timer.current)
      await sendSeen()
      return undefined
    }
    const end = onSignOut({ finish: sendNow })
    window.addEventListener('pagehide', sendNow)
    return () => {
      end()
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
