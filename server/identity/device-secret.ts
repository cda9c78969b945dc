import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deriveKey } from '../config/secrets.ts'
import { pathOf } from '../http/caller.ts'
import type { Identity } from './auth.ts'
import type { SessionCookieReader } from './session-cookie.ts'

// A browser encrypts its cache of a session with a secret of that session (decision 28). While the session is alive, each page
// and each `get-session` response sets the secret as a cookie. The page's scripts take and delete it immediately, so that the
// browser doesn't store it.

/** The client reads it by the same name (web/ui/device/local-storage.ts). */
export const DEVICE_COOKIE = 'parley.device'
const DEVICE_SECRET = new RegExp(`(?:^|; ?)${DEVICE_COOKIE.replace('.', '\\.')}=[^;]`)
/** A page's scripts take it much earlier, unless they fail to load. */
const MAX_AGE_SECONDS = 60
/** Maximum time that a page waits for the database; after that it starts without the secret. */
const SESSION_TIMEOUT_MS = 500

export type DeviceSecrets = ReturnType<typeof createDeviceSecrets>

/** @param identitySecret the secret that all nodes share */
export function createDeviceSecrets(identitySecret: string, sessionCookieIn: SessionCookieReader) {
  const key = deriveKey(identitySecret, 'device secrets')
  return {
    /** Sets the secret of the session, which must be alive. */
    give(request: FastifyRequest, reply: FastifyReply) {
      const cookie = sessionCookieIn(request.headers.cookie)
      if (!cookie) return
      setCookie(request, reply, createHmac('sha256', key).update(cookie).digest('base64url'), MAX_AGE_SECONDS)
    },
    /** Deletes a secret that the page's scripts have not taken yet. */
    take(request: FastifyRequest, reply: FastifyReply) {
      if (DEVICE_SECRET.test(request.headers.cookie ?? '')) setCookie(request, reply, '', 0)
    },
  }
}

function setCookie({ caller }: FastifyRequest, reply: FastifyReply, value: string, maxAge: number) {
  const secure = caller.isSecure ? '; Secure' : ''
  reply.header('set-cookie', `${DEVICE_COOKIE}=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax${secure}`)
}

/** Sets the secret for each page of a live session, and deletes any other before the page's scripts run. */
export function giveToPages(
  pages: FastifyInstance,
  secrets: DeviceSecrets,
  sessionCookieIn: SessionCookieReader,
  identity: Identity,
) {
  pages.addHook('onRequest', async (request, reply) => {
    const { method, headers, raw } = request
    const isPage = method === 'GET' && headers.accept?.includes('text/html') && !pathOf(raw).startsWith('/assets/')
    if (!isPage) return
    const cookie = sessionCookieIn(headers.cookie)
    // Uncached, so that nothing is shown of a session that has just ended.
    if (cookie && (await isAlive(identity.sessionOf(cookie)))) secrets.give(request, reply)
    else secrets.take(request, reply)
  })
}

/** Also false if the database doesn't answer in time: the device cache is only a copy. */
const isAlive = (session: Promise<unknown>) =>
  new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, SESSION_TIMEOUT_MS, false)
    session
      .then(
        (found) => resolve(found !== undefined),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer))
  })
