import { useEffect, useEffectEvent, useState } from 'react'
import type { PendingMessage } from '../outbox/outbox.ts'

/** Whoever sends wants to see it, wherever they were reading. What waited here from before does not count. */
export function useOwnSent(pending: readonly PendingMessage[], onSent: () => void) {
  const [openedAt] = useState(Date.now)
  const last = pending.at(-1)
  const sent = last && Date.parse(last.createdAt) >= openedAt ? last.clientId : undefined
  const tell = useEffectEvent(onSent)
  useEffect(() => {
    if (sent) tell()
  }, [sent])
}
