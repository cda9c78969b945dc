import { useEffect, useState } from 'react'
import type { ChatSocket } from '../socket/socket-context.ts'

const RETRY_DELAY_MS = 5000

/**
 * Opens the live connection of a user once the page is idle, and closes it on unmount. Events missed until then are
 * caught up with, as after any interruption.
 */
export function useLiveConnection(me: string, isPageIdle: boolean) {
  const [socket, setSocket] = useState<ChatSocket>()
  useEffect(() => {
    if (!isPageIdle) return
    let end = () => {}
    let timer: ReturnType<typeof setTimeout>
    let isMounted = true
    const open = () =>
      import('./open-connection.ts').then(
        ({ openConnection }) => {
          if (!isMounted) return
          const live = openConnection(me)
          end = live.end
          setSocket(live.socket)
        },
        (error) => {
          console.error('Failed to open the live connection:', error)
          if (isMounted) timer = setTimeout(open, RETRY_DELAY_MS)
        },
      )
    void open()
    return () => {
      isMounted = false
      clearTimeout(timer)
      end()
      setSocket(undefined)
    }
  }, [me, isPageIdle])
  return socket
}
