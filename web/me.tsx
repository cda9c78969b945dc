import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Me } from '#contract/users'
import { queryClient } from './api-client/api.ts'
import type { Bootstrap } from './session/bootstrap.ts'
import { fetchMe, onSessionEnd, sessionUserId, setSessionUser } from './session/session.ts'

interface Identity {
  /** undefined while it is not known, null when nobody is signed in. */
  me: Me | null | undefined
  /** Whether somebody left from here by their own will: who comes next did not ask for the page they were on. */
  left: boolean
  /** Whether a session ended that somebody was in, and not by their own will: they want back to where they were. */
  ended: boolean
  /** Set when the server could not be asked. */
  error: Error | undefined
  /** Asks again who is signed in, and answers it: after signing in or up, or after an error. */
  refresh: () => Promise<Me | null | undefined>
  /** Shows that somebody left by their own will; `sign-out.ts` does what else there is to do. */
  leave: () => void
}

/** What ends a session; there by the time it is needed, also without a network. */
export const loadSignOut = () => import('./session/sign-out.ts')

const IdentityContext = createContext<Identity | undefined>(undefined)

/** Knows who is signed in. What was read for one person is dropped when another comes. */
export function IdentityProvider({ bootstrapped, children }: { bootstrapped: Bootstrap; children: ReactNode }) {
  const [me, setMe] = useState(bootstrapped.me)
  // The answer may come between the first drawing and the effect: what was drawn counts.
  const isAsked = useRef(me === undefined)
  const [left, setLeft] = useState(false)
  const [ended, setEnded] = useState(false)
  const [error, setError] = useState<Error>()

  const acts = useMemo(() => {
    const become = (person: Me | null) => {
      // Nobody is here where somebody was; `leave` says otherwise.
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
      // An answer from before somebody left says nothing of now.
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

/** The signed-in person; only below the signed-in layout. */
export function useMe(): Me {
  const { me } = useIdentity()
  if (!me) throw new Error('Nobody is signed in here')
  return me
}
