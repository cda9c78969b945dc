import { Check, CloudOff, WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type PlainTextId, t } from '../../i18n/text.ts'
import { type ChatSocket, useSocket } from '../../socket/socket-context.ts'
import { useWideScreen } from '../../ui/device/media.ts'
import { useOnline } from '../../ui/device/online.ts'
import { Button } from '../../ui/input/button.tsx'

type Connection = 'open' | 'opening' | 'lost' | 'offline' | 'given-up'

/** Shorter if the device knows that it is offline. Other interruptions mostly end before anyone could read about them. */
const OFFLINE_DELAY_MS = 1000
const NOTICE_DELAY_MS = 2000
/** How long a recovery is shown. */
const CONNECTED_MS = 1500

/**
 * Reports a lost connection, with a button to reconnect unless the device is offline, and its recovery. Before the page is
 * idle there is no connection yet, so it only reports being offline. It lies below the header of the page, which makes room
 * for it (`--notice`). Not lazy-loaded: without a network it could not be.
 */
export function ConnectionBar({ isPageIdle }: { isPageIdle: boolean }) {
  const socket = useSocket()
  const connection = useConnection(socket)
  const isOffline = connection === 'offline'
  const isDisconnected = connection !== 'open' && (isPageIdle || isOffline)
  const [isShown, setShown] = useState(false)
  const disconnectedMs = isOffline ? OFFLINE_DELAY_MS : NOTICE_DELAY_MS
  const delayMs = isDisconnected ? disconnectedMs : CONNECTED_MS
  useEffect(() => {
    const timer = setTimeout(() => setShown(isDisconnected), delayMs)
    return () => clearTimeout(timer)
  }, [isDisconnected, delayMs])

  const isWide = useWideScreen()
  const shown = isDisconnected ? connection : 'open'
  const { Icon, text, brief } = notices[shown]
  return (
    <div className="relative z-1 max-wide:z-11">
      <div
        className={
          isShown
            ? 'connection-bar absolute inset-x-0 top-(--bar) flex h-(--notice) items-center border-line border-b bg-sunk px-(--gutter) text-ui'
            : ''
        }
      >
        <p role="status" className="min-w-0 flex-1">
          {isShown && (
            <span className={`flex items-center gap-2 ${shown === 'open' ? 'text-pine' : 'text-soft'}`}>
              <Icon size={16} className={shown === 'open' ? '' : 'text-danger'} />
              {t(isWide ? text : (brief ?? text))}
            </span>
          )}
        </p>
        {isShown && isDisconnected && !isOffline && socket && (
          <Button variant="line" className="h-7" onClick={() => socket.disconnect().connect()}>
            {t('connection.reconnect')}
          </Button>
        )}
      </div>
    </div>
  )
}
/** `brief` is for phones. */
const notices: Record<Connection, { Icon: typeof Check; text: PlainTextId; brief?: PlainTextId }> = {
  open: { Icon: Check, text: 'connection.open' },
  opening: { Icon: CloudOff, text: 'connection.opening' },
  lost: { Icon: CloudOff, text: 'connection.lost', brief: 'connection.lostBrief' },
  offline: {
    Icon: WifiOff,
    text: 'connection.offline',
    brief: 'connection.offlineBrief',
  },
  'given-up': {
    Icon: CloudOff,
    text: 'connection.givenUp',
    brief: 'connection.givenUpBrief',
  },
}

function useConnection(socket: ChatSocket | undefined): Connection {
  const isOnline = useOnline()
  const [state, setState] = useState<Exclude<Connection, 'offline'>>('opening')
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
  // The socket detects a lost network much later.
  return isOnline ? state : 'offline'
}
