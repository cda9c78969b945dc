import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { deriveKey } from '../config/secrets.ts'
import { pathOf } from '../http/caller.ts'
import type { Identity } from './auth.ts'
import type { SessionCookieReader } from './session-cookie.ts'

// A browser encrypts what it keeps of a session under a secret of that session (decision 28). The secret comes with each page
// and each answer to who is signed in, if the session is alive: in a cookie that the page's scripts take at once, so that the
// browser does not store it.

/** The browser reads it under the same name (web/ui/device/local-storage.ts). */
export const DEVICE_COOKIE = 'parley.device'
const DEVICE_SECRET = new RegExp(`(?:^|; ?)${DEVICE_COOKIE.replace('.', '\\.')}=[^;]`)
/** The scripts of a page take it much earlier, unless they cannot load. */
const MAX_AGE_SECONDS = 60
/** A page does not wait longer for the database: it starts without the secret then. */
const SESSION_TIMEOUT_MS = 500

export type DeviceSecrets = ReturnType<typeof createDeviceSecrets>

/** @param identitySecret the secret that all nodes share */
export function createDeviceSecrets(identitySecret: string, sessionCookieIn: SessionCookieReader) {
  const key = deriveKey(identitySecret, 'device secrets')
  return {
    /** Gives the browser the secret of its session, which is alive. */
    give(request: FastifyRequest, reply: FastifyReply) {
      const cookie = sessionCookieIn(request.headers.cookie)
      if (!cookie) return
      setCookie(request, reply, createHmac('sha256', key).update(cookie).digest('base64url'), MAX_AGE_SECONDS)
    },
    /** Takes away a secret that was not taken yet. */
    take(request: FastifyRequest, reply: FastifyReply) {
      if (DEVICE_SECRET.test(request.headers.cookie ?? '')) setCookie(request, reply, '', 0)
    },
  }
}

function setCookie({ caller }: FastifyRequest, reply: FastifyReply, value: string, maxAge: number) {
  const secure = caller.isSecure ? '; Secure' : ''
  reply.header('set-cookie', `${DEVICE_COOKIE}=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax${secure}`)
}

/** Gives each page of a living session its secret, and takes every other one away before a script runs there. */
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
    // Asks the database: nothing of a session that has just ended is drawn.
    if (cookie && (await isAlive(identity.sessionOf(cookie)))) secrets.give(request, reply)
    else secrets.take(request, reply)
  })
}

/** False, too, if the database does not answer in time: what is kept is only a copy. */
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
