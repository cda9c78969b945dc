import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deriveKey } from '../config/secrets.ts'
import { notFound } from '../errors.ts'

/** Authorizes Parley's own commands: known to whoever has the secret of the workspace. */
export const commandToken = (secret: string) => deriveKey(secret, 'doctor').toString('base64url')

/** @throws 404 unless the request has the token of commands: for everybody else the route does not exist */
export function requireCommand({ headers, server }: FastifyRequest, reply: FastifyReply) {
  const expected = Buffer.from(`Bearer ${commandToken(server.secret)}`)
  const given = Buffer.from(headers.authorization ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound('errors.pageNotFound')
  reply.header('cache-control', 'no-store')
}
