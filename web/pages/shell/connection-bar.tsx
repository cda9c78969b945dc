import { CloudOff, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type ChatSocket, useSocket } from '../../socket/socket-context.ts'
import { Button } from '../../ui/input/button.tsx'

type Connection = 'open' | 'opening' | 'lost' | 'offline' | 'given-up'

/** Most interruptions are over before anyone could read about them. */
const NOTICE_DELAY_MS = 2000

/**
 * Reports a lost connection, with a button to reconnect unless the device is offline. Before the page is idle there is no
 * connection yet, so it reports only that.
 */
export function ConnectionBar({ isPageIdle }: { isPageIdle: boolean }) {
  const socket = useSocket()
  const connection = useConnection(socket)
  const isDisconnected = connection !== 'open' && (isPageIdle || connection === 'offline')
  const [isNoticed, setNoticed] = useState(false)
  useEffect(() => {
    if (!isDisconnected) return setNoticed(false)
    const timer = setTimeout(() => setNoticed(true), NOTICE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isDisconnected])

  const Icon = connection === 'offline' ? WifiOff : CloudOff
  return (
    <div role="status">
      {isDisconnected && isNoticed && (
        <div className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk px-(--gutter) py-1 text-soft text-ui">
          <Icon size={16} className="flex-none text-danger" />
          <p className="min-w-0 flex-1">{texts[connection]}</p>
          {connection !== 'offline' && socket && (
            <Button variant="line" className="pointer-coarse:h-11" onClick={() => socket.disconnect().connect()}>
              Reconnect
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const texts: Record<Exclude<Connection, 'open'>, string> = {
  opening: 'Connecting…',
  lost: 'Connection lost. Reconnecting…',
  offline: 'You are offline. Messages will be sent when you reconnect.',
  'given-up': 'Cannot reach Parley. Messages will be sent once it is back.',
}

function useConnection(socket: ChatSocket | undefined): Connection {
  const [state, setState] = useState<Exclude<Connection, 'offline'>>('opening')
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = () => setOnline(navigator.onLine)
    window.addEventListener('online', update)
    window.addEventListener('offline', update)
    return () => {
      window.removeEventListener('online', update)
      window.removeEventListener('offline', update)
    }
  }, [])
  useEffect(() => {
    if (!socket) return setState('opening')
    const opened = () => setState('open')
    // A connection that was never open is not lost.
    const closed = () => setState((before) => (before === 'opening' ? before : 'lost'))
    const gaveUp = () => setState('given-up')
    if (socket.connected) opened()
    socket.on('connect', opened).on('disconnect', closed)
    socket.io.on('reconnect_attempt', closed)
    socket.io.on('reconnect_failed', gaveUp)
    return () => {
      socket.off('connect', opened).off('disconnect', closed)
      socket.io.off('reconnect_attempt', closed)
      socket.io.off('reconnect_failed', gaveUp)
    }
  }, [socket])
  if (state === 'open') return 'open'
  return isOnline ? state : 'offline'
}
