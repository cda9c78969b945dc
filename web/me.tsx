import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Me } from '#contract/users'
import { queryClient } from './api.ts'
import { onSessionEnd, readMe } from './session.ts'

interface Presence {
  /** undefined while it is not known, null when nobody is signed in. */
  me: Me | null | undefined
  /** Set when the server could not be asked. */
  error: Error | undefined
  /** Asks again who is signed in: after signing in, up or out, or after an error. */
  refresh: () => Promise<void>
}

const MeContext = createContext<Presence | undefined>(undefined)

/** Knows who is signed in. Whatever was read for one person is dropped when another comes. */
export function MeProvider({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Me | null>()
  const [error, setError] = useState<Error>()

  const value = useMemo(() => {
    const become = (person: Me | null) => {
      queryClient.clear()
      setError(undefined)
      setMe(person)
    }
    const refresh = () => readMe().then(become, setError)
    return { me, error, refresh, become }
  }, [me, error])

  useEffect(() => {
    void readMe().then(setMe, setError)
    return onSessionEnd(() => {
      queryClient.clear()
      setMe(null)
    })
  }, [])

  return <MeContext value={value}>{children}</MeContext>
}

export function usePresence() {
  const presence = useContext(MeContext)
  if (!presence) throw new Error('MeProvider is missing')
  return presence
}

/** The signed-in person; only below the signed-in layout. */
export function useMe(): Me {
  const { me } = usePresence()
  if (!me) throw new Error('Nobody is signed in here')
  return me
}
