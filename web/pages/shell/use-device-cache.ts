import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Me } from '#contract/users'
import { usePreference } from '../../browser/preferences.ts'

/** The live connection waits for the device cache at most this long. */
const RESTORE_TIMEOUT_MS = 1000

/** Keeps what the page shows on this device, once it is idle. Returns whether earlier data has been restored. */
export function useDeviceCache(me: Me, isPageIdle: boolean) {
  const client = useQueryClient()
  const isWanted = usePreference('keep') === 'on'
  const [isRestored, setRestored] = useState(false)
  const isLate = useRef(false)
  useEffect(() => {
    if (!isPageIdle) return
    const connect = () => {
      isLate.current = true
      setRestored(true)
    }
    const timer = setTimeout(connect, RESTORE_TIMEOUT_MS)
    const keeping = isWanted
      ? import('./keep-on-device.ts').then(({ keepOnDevice }) => keepOnDevice(client, me, () => isLate.current))
      : Promise.resolve(undefined)
    const stopping = keeping.catch((error) => {
      console.error('Failed to open the device cache:', error)
      return undefined
    })
    void stopping.then(connect)
    return () => {
      clearTimeout(timer)
      void stopping.then((stop) => stop?.())
    }
  }, [client, me, isPageIdle, isWanted])
  return isRestored
}
