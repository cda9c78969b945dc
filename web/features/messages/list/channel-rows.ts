import { useMemo, useState } from 'react'
import { useMe } from '../../../me.tsx'
import { usePending } from '../outbox/outbox.ts'
import type { MessageWindow } from '../sync/message-window.ts'
import { BEGINNING, listItems } from './list-items.ts'

/** The rows of a channel's list: the loaded messages, followed by the pending ones. */
export function useChannelRows(channelId: string, window: MessageWindow, newFrom: number | undefined) {
  const { messages, hasOlder, hasNewer } = window
  const me = useMe().id
  const pending = usePending(channelId)
  // Pending messages follow the newest one. If that isn't loaded, they are hidden until the user asks for them.
  const [isShown, setShown] = useState(false)
  const rows = useMemo(() => {
    const items = listItems(messages, hasNewer && !isShown ? [] : pending, me, newFrom, hasNewer)
    return hasOlder ? items : [BEGINNING, ...items]
  }, [messages, hasOlder, hasNewer, isShown, pending, me, newFrom])
  return { rows, waiting: { pending, isShown, setShown } }
}
