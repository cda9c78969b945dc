import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { isHeldHereAlone } from '../features/messages/draft-list.ts'
import { NotificationHint } from '../features/notifications/notification-hint.tsx'
import { askBeforeLeaving } from '../ui/before-leaving.ts'

/** What is said above every page, when there is something to say. Loaded late. */
export default function Notes() {
  const navigate = useNavigate()
  const open = useCallback((address: string) => void navigate(address), [navigate])
  useEffect(() => askBeforeLeaving(isHeldHereAlone), [])
  return <NotificationHint onOpen={open} />
}
