import { useEffect, useEffectEvent, useState } from 'react'
import type { PendingMessage } from '../outbox/pending-message.ts'

/** Scrolls to the message that I have just sent, but not to those pending since before the list opened. */
export function useScrollToOwn(pending: readonly PendingMessage[], onSent: () => void) {
  const [openedAt] = useState(Date.now)
  const last = pending.at(-1)
  const sent = last && Date.parse(last.createdAt) >= openedAt ? last.clientId : undefined
  const report = useEffectEvent(onSent)
  useEffect(() => {
    if (sent) report()
  }, [sent])
}
