import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { InviteGreeting, OwnerLinkCheck, SignInWays } from '#contract/identity'
import { storable } from '#contract/text'
import type { Config } from '../config/config.ts'
import { notFound } from '../errors.ts'
import { read } from '../route.ts'
import { liveInvite } from './sign-up-policy.ts'
import { isSameCode, ownerCodeOf, readEntry } from './workspace-entry.ts'

/** Small, because the body is read before authentication. */
const MAX_BODY_BYTES = 1024

const Code = z.object({ code: z.string().check(storable) })

/** What the pages before the sign-in need to know: the ways in, and whether a link is valid. */
export function mountEntry(app: FastifyInstance, config: Config, secret: string) {
  const { oidc } = config

  app.get('/api/auth/ways', async ({ caller }): Promise<SignInWays> => {
    const { name, isFounded, signUp } = await readEntry(app.db, config)
    return {
      provider: oidc ? { name: oidc.name } : null,
      password: !oidc?.only,
      signUp: isFounded ? signUp : 'open',
      workspaceName: name,
      isEmpty: !isFounded,
      needsOwnerLink: !isFounded && !caller.isFromOperator,
      sendsMail: config.mail !== undefined,
    }
  })
  app.post('/api/auth/owner-link/check', { bodyLimit: MAX_BODY_BYTES }, async (request): Promise<OwnerLinkCheck> => {
    const { code } = read('body', Code, request.body)
    const entry = await readEntry(app.db, config)
    return { isValid: !entry.isFounded && isSameCode(code, ownerCodeOf(entry, secret)) }
  })
  app.get('/api/auth/invite', async ({ query }): Promise<InviteGreeting> => {
    const { code } = query as { code?: unknown }
    const invite = typeof code === 'string' ? await liveInvite(app.db, code) : undefined
    if (!invite) throw notFound('errors.inviteNotFound')
    return { from: invite.name, email: invite.email }
  })
}
