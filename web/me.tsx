import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Me } from '#contract/users'
import { queryClient } from './api-client/api.ts'
import type { Bootstrap } from './session/bootstrap.ts'
import { fetchMe, onSessionEnd, sessionUserId, setSessionUser } from './session/session.ts'

interface Identity {
  /** Undefined while unknown, null when signed out. */
  me: Me | null | undefined
  /** Whether the last user signed out: the next one did not ask for the page they were on. */
  left: boolean
  /** Whether a session ended by itself: its user wants back to where they were. */
  ended: boolean
  /** Set when the server could not be reached. */
  error: Error | undefined
  /** Fetches the signed-in user again: after signing in or up, or after an error. */
  refresh: () => Promise<Me | null | undefined>
  /** Shows the signed-out page. `sign-out.ts` does the rest of signing out. */
  leave: () => void
}

/** Loaded in advance, so that signing out works offline. */
export const loadSignOut = () => import('./session/sign-out.ts')

const IdentityContext = createContext<Identity | undefined>(undefined)

/** Provides the signed-in user. The query cache is cleared when the user changes. */
export function IdentityProvider({ bootstrapped, children }: { bootstrapped: Bootstrap; children: ReactNode }) {
  const [me, setMe] = useState(bootstrapped.me)
  // The response may arrive between the first render and the effect: what was rendered counts.
  const isAsked = useRef(me === undefined)
  const [left, setLeft] = useState(false)
  const [ended, setEnded] = useState(false)
  const [error, setError] = useState<Error>()

  const acts = useMemo(() => {
    const become = (person: Me | null) => {
      // Signed out where a user was signed in; `leave` says otherwise.
      setEnded(!person && sessionUserId() !== undefined)
      if (person?.id !== sessionUserId()) queryClient.clear()
      setSessionUser(person?.id)
      setError(undefined)
      setLeft(false)
      setMe(person)
      return person
    }
    let leavings = 0
    const refresh = (asked = fetchMe()) => {
      const before = leavings
      // A response from before signing out is outdated.
      const hear = (person: Me | null) => (before === leavings ? become(person) : null)
      return asked.then(hear, (failure) => {
        console.error('Could not ask who is signed in:', failure)
        setError(failure)
        return undefined
      })
    }
    const leave = () => {
      leavings++
      become(null)
      setEnded(false)
      setLeft(true)
    }
    return { refresh, leave }
  }, [])

  useEffect(() => {
    if (isAsked.current) void acts.refresh(bootstrapped.asked)
    return onSessionEnd(() => void acts.refresh())
  }, [acts, bootstrapped])

  return <IdentityContext value={{ me, left, ended, error, ...acts }}>{children}</IdentityContext>
}

export function useIdentity() {
  const identity = useContext(IdentityContext)
  if (!identity) throw new Error('IdentityProvider is missing')
  return identity
}

/** The signed-in user; only below the signed-in layout. */
export function useMe(): Me {
  const { me } = useIdentity()
  if (!me) throw new Error('Nobody is signed in here')
  return me
}
