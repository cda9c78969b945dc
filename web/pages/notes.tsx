import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { LostMessages } from '../features/messages/lost-messages.tsx'
import { NotificationHint } from '../features/notifications/notification-hint.tsx'

/** What is said above every page, when there is something to say. Loaded late. */
export default function Notes() {
  const navigate = useNavigate()
  const open = useCallback((address: string) => void navigate(address), [navigate])
  return (
    <>
      <NotificationHint onOpen={open} />
      <LostMessages />
    </>
  )
}
