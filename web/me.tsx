import { replaceEqualDeep } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Me } from '#contract/users'
import { queryClient } from './api-client/api.ts'
import { setAppBadge } from './browser/app-badge.ts'
import { tryUserLanguage } from './browser/language.ts'
import { PRODUCT, useTitleName } from './browser/tab-title.ts'
import { confirm } from './browser/unconfirmed.ts'
import type { Bootstrap } from './session/bootstrap.ts'
import { fetchMe, onSessionEnd, sessionUserId, setSessionUser } from './session/session.ts'
import { tabChannel } from './ui/device/local-storage.ts'
import { startRetrying } from './ui/feedback/use-retry.ts'

interface Identity {
  /** Undefined while unknown, null when signed out. */
  me: Me | null | undefined
  /** Whether the last user signed out; the next one is not sent to the page they were on. */
  hasLeft: boolean
  /** Whether the session ended on its own; its user then returns to the same page. */
  hasSessionEnded: boolean
  /** Set when the server could not be reached. */
  error: Error | undefined
  /** Fetches the signed-in user again: after signing in or up, or after an error. */
  refresh: () => Promise<Me | null | undefined>
  /** Like `refresh`, in all tabs of the user. */
  refreshTabs: () => Promise<unknown>
  /** Shows the signed-out page. `sign-out.ts` does the rest of signing out. */
  leave: () => void
}

/** Loaded in advance, so that signing out works offline. */
export const loadSignOut = () => import('./session/sign-out.ts')

/** Fetches who is signed in instead of a user whose tokens the server refuses. */
async function fetchSuccessor(refusedUser: string) {
  const person = await fetchMe()
  return person?.id === refusedUser ? null : person
}

const IdentityContext = createContext<Identity | undefined>(undefined)

/** Provides the signed-in user. The query cache is cleared when the user changes. */
export function IdentityProvider({ bootstrapped, children }: { bootstrapped: Bootstrap; children: ReactNode }) {
  const [me, setMe] = useState(bootstrapped.me)
  // The response may arrive between the first render and the effect: what was rendered counts.
  const isPending = useRef(!bootstrapped.isAnswered)
  const tabs = useRef<ReturnType<typeof tabChannel>>(undefined)
  const [hasLeft, setLeft] = useState(false)
  const [hasSessionEnded, setSessionEnded] = useState(false)
  const [error, setError] = useState<Error>()

  const actions = useMemo(() => {
    const become = (person: Me | null) => {
      // `leave` corrects this when the user signed out.
      if (person || sessionUserId() !== undefined) setSessionEnded(!person)
      if (person?.id !== sessionUserId()) {
        queryClient.clear()
        confirm()
      }
      setSessionUser(person?.id, person)
      setError(undefined)
      setLeft(false)
      setMe((before) => replaceEqualDeep(before, person))
      return person
    }
    let signOuts = 0
    let requests = 0
    let answered = 0
    /** @param isQuiet whether a failure leaves the page as it is */
    const refresh = (request = fetchMe(), isQuiet = false) => {
      const before = signOuts
      const turn = ++requests
      const onResponse = async (person: Me | null) => {
        if (person) await tryUserLanguage(person.language)
        // A response from before signing out is stale.
        if (before !== signOuts) return null
        // The response to a later request was faster.
        if (turn < answered) return person
        answered = turn
        return become(person)
      }
      return request.then(onResponse, (failure) => {
        console.error('Failed to fetch the signed-in user:', failure)
        // A page that shows somebody's messages stays.
        if (!isQuiet && sessionUserId() === undefined) setError(failure)
        return undefined
      })
    }
    const refreshTabs = () => {
      tabs.current?.postMessage(sessionUserId())
      return refresh()
    }
    const leave = () => {
      signOuts++
      become(null)
      setSessionEnded(false)
      setLeft(true)
    }
    return { refresh, refreshTabs, leave }
  }, [])

  useEffect(() => {
    let isMounted = true
    let stop = () => {}
    const askAgain = async () => {
      if ((await actions.refresh(undefined, true)) !== undefined) stop()
    }
    /** Keeps the page on screen until there is a response. */
    const askQuietly = async (request?: Promise<Me | null>) => {
      const person = await actions.refresh(request, true)
      if (!isMounted) return
      stop()
      if (person === undefined) stop = startRetrying(askAgain)
    }
    // Whether data from the device cache is on screen.
    const isKept = bootstrapped.me !== undefined
    if (isPending.current) void (isKept ? askQuietly : actions.refresh)(bootstrapped.request)
    const channel = tabChannel('parley me')
    tabs.current = channel
    if (channel)
      channel.onmessage = ({ data }: MessageEvent<string>) => {
        if (data === sessionUserId()) void askQuietly()
      }
    const unwatch = onSessionEnd((refused) => void askQuietly(refused ? fetchSuccessor(refused) : undefined))
    return () => {
      isMounted = false
      stop()
      channel?.close()
      unwatch()
    }
  }, [actions, bootstrapped])

  const isSignedOut = me === null
  useEffect(() => {
    if (isSignedOut) setAppBadge(0)
  }, [isSignedOut])

  useTitleName(me?.workspaceName)
  return <IdentityContext value={{ me, hasLeft, hasSessionEnded, error, ...actions }}>{children}</IdentityContext>
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

/** What the workspace is called; only below the signed-in layout. */
export const useWorkspaceName = () => useMe().workspaceName ?? PRODUCT
