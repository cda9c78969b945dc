import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { databaseTime } from '../db/clock.ts'
import { type Device, giveDevice } from './factors/known-devices.ts'
import { clearsSession } from './session-cookie.ts'

/** Sends errors unchanged, with the library's codes, and successes reduced to the route's output. */
export async function sendResponse(
  response: Response,
  { output }: { output: z.ZodMiniType },
  request: FastifyRequest,
  reply: FastifyReply,
  device?: Device,
) {
  passHeaders(response, request, reply)
  if (device && response.ok) giveDevice(device, request, reply)
  const body: unknown = await response.json().catch(() => null)
  return reply.status(response.status).send(JSON.stringify(response.ok ? z.parse(output, body) : body))
}

export function passHeaders({ headers }: Response, { caller, method }: FastifyRequest, reply: FastifyReply) {
  reply.type('application/json; charset=utf-8')
  // The browser derives the token's remaining time from it. Node.js would send the time of this machine.
  reply.header('date', new Date(databaseTime()).toUTCString())
  const retryAfter = headers.get('retry-after') ?? headers.get('x-retry-after')
  if (retryAfter) reply.header('retry-after', retryAfter)
  // The library doesn't know whether a proxy terminated TLS.
  for (const cookie of headers.getSetCookie()) {
    // The browser may have a new session by the time that it reads the response about an ended one.
    if (method === 'GET' && clearsSession(cookie)) continue
    const lacksSecure = caller.isSecure && !/;\s*secure/i.test(cookie)
    reply.header('set-cookie', lacksSecure ? `${cookie}; Secure` : cookie)
  }
}
