import { CloudOff, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type ChatSocket, useSocket } from '../../socket/socket-context.ts'
import { Button } from '../../ui/input/button.tsx'

type Connection = 'open' | 'opening' | 'lost' | 'offline' | 'given-up'

/** Milliseconds that an interruption may last unnoticed: most are over before anybody could read about them. */
const NOTICE_DELAY_MS = 2000

/**
 * Says what is wrong while the live connection is away, and offers to try again where nothing else will soon. A page that
 * does not rest yet opens no connection, and says only that there is no network.
 */
export function ConnectionBar({ isPageIdle }: { isPageIdle: boolean }) {
  const socket = useSocket()
  const connection = useConnection(socket)
  const isAway = connection !== 'open' && (isPageIdle || connection === 'offline')
  const [isNoticed, setNoticed] = useState(false)
  useEffect(() => {
    if (!isAway) return setNoticed(false)
    const timer = setTimeout(() => setNoticed(true), NOTICE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isAway])

  const Icon = connection === 'offline' ? WifiOff : CloudOff
  return (
    <div role="status">
      {isAway && isNoticed && (
        <div className="flex min-h-10 items-center gap-2 border-line border-b bg-sunk px-(--gutter) py-1 text-soft text-ui">
          <Icon size={16} className="flex-none text-danger" />
          <p className="min-w-0 flex-1">{words[connection]}</p>
          {connection !== 'offline' && socket && (
            <Button look="line" className="pointer-coarse:h-11" onClick={() => socket.disconnect().connect()}>
              Reconnect
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const words: Record<Exclude<Connection, 'open'>, string> = {
  opening: 'Connecting…',
  lost: 'Connection lost. Reconnecting…',
  offline: 'You are offline. Messages will be sent when you reconnect.',
  'given-up': 'Cannot reach Parley. Messages will be sent once it is back.',
}

function useConnection(socket: ChatSocket | undefined): Connection {
  const [state, setState] = useState<Exclude<Connection, 'offline'>>('opening')
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = () => setOnline(navigator.onLine)
    window.addEventListener('online', look)
    window.addEventListener('offline', look)
    return () => {
      window.removeEventListener('online', look)
      window.removeEventListener('offline', look)
    }
  }, [])
  useEffect(() => {
    if (!socket) return setState('opening')
    const opened = () => setState('open')
    // A connection that was never there is not lost.
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
