import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listInvites } from '#contract/invites'
import { getPassword } from '#contract/password'
import { listSessions } from '#contract/sessions'
import { listAccounts } from '#contract/workspace'
import { call } from '../../api-client/api.ts'
import { refetch } from '../../cache/patch-query.ts'
import {
  checkOwnerLink,
  fetchEmailLink,
  fetchInvite,
  fetchPasswordReset,
  fetchSignInWays,
} from '../../session/sign-in.ts'

/** How users sign in here; null if unknown. The form then still shows, and reports the failure when submitted. */
export const signInWays = queryOptions({
  queryKey: ['sign-in-ways'] as const,
  queryFn: () =>
    fetchSignInWays().catch((error) => {
      console.error('Failed to load the ways to sign in:', error)
      return null
    }),
  // Fails at once without a network, so that the form shows.
  networkMode: 'always',
  // The first sign-up changes it.
  staleTime: 0,
})

export const inviteBy = (code: string) =>
  queryOptions({ queryKey: ['invite', code] as const, queryFn: () => fetchInvite(code), retry: false, staleTime: 0 })

/** Whether a code is the owner's link's. */
export const ownerLinkBy = (code: string) =>
  queryOptions({
    queryKey: ['owner-link', code] as const,
    queryFn: () => checkOwnerLink(code),
    retry: false,
    staleTime: 0,
    // It ends with the sign-up that follows.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const passwordResetBy = (code: string) =>
  queryOptions({
    queryKey: ['password-reset', code] as const,
    queryFn: () => fetchPasswordReset(code),
    retry: false,
    staleTime: 0,
  })

export const emailLinkBy = (code: string) =>
  queryOptions({
    queryKey: ['email-link', code] as const,
    queryFn: () => fetchEmailLink(code),
    retry: false,
    staleTime: 0,
    // A link ends once it was followed.
    refetchOnWindowFocus: false,
  })

export const mySessions = queryOptions({
  queryKey: ['sessions'] as const,
  queryFn: () => call(listSessions, {}),
  staleTime: 0,
})

export const myPassword = queryOptions({
  queryKey: ['password'] as const,
  queryFn: () => call(getPassword, {}),
  staleTime: 0,
})

export const liveInvites = queryOptions({
  queryKey: ['invites'] as const,
  queryFn: () => call(listInvites, {}),
  staleTime: 0,
  // Whether a mail was accepted is known seconds later.
  refetchInterval: ({ state }) => (state.data?.some(({ mail }) => mail === 'waiting') ? 3_000 : false),
})

const ACCOUNTS = 'accounts'
export const accountSearch = (query: string) =>
  queryOptions({
    queryKey: [ACCOUNTS, query] as const,
    queryFn: () => call(listAccounts, { query: query ? { query } : {} }),
    staleTime: 0,
  })

export const refetchAccounts = (client: QueryClient) => refetch(client, { queryKey: [ACCOUNTS] })
