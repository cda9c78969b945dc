import type { FastifyInstance } from 'fastify'
import { getMailRules, type MailRules, mailRuleNames, setMailRules } from '#contract/mail-rules'
import { notFound } from '../../errors.ts'
import { readRules, readStopToken, setRule } from '../../notifications/rules.ts'
import { route } from '../../route.ts'

/** The user's own rules for mail. */
export default async function mailRules(app: FastifyInstance) {
  const { config, db } = app

  async function read(me: string): Promise<MailRules> {
    const rules = await readRules(db, me)
    const user = db.selectFrom('users').select('emailVerified').where('id', '=', me)
    const { emailVerified } = await user.executeTakeFirstOrThrow()
    return { ...rules, sendsMail: config.mail !== undefined, isConfirmed: emailVerified }
  }

  route(app, getMailRules, ({ me }) => read(me))

  route(app, setMailRules, async ({ body, me }) => {
    await db.transaction().execute(async (tx) => {
      for (const rule of mailRuleNames) {
        const isOn = body[rule]
        if (isOn !== undefined) await setRule(tx, me, rule, isOn)
      }
    })
    return read(me)
  })
}

/** Unsubscribe links: signed, so they need no sign-in. The answer is the same whether or not anything changed. */
export async function stopMail(app: FastifyInstance) {
  const { db, linkCode } = app
  // One-click requests (RFC 8058) are forms, whose content can be ignored.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { bodyLimit: 4096 }, (_request, payload, done) => {
    payload.resume()
    payload.once('end', () => done(null, undefined))
  })

  app.get('/api/auth/mail/stop/:token', async (request, reply) => {
    // Ask for confirmation on a page, because mail scanners open links as well.
    const { token } = request.params as { token: string }
    return reply.redirect(`/stop-mail#${encodeURIComponent(token)}`, 303)
  })
  app.post('/api/auth/mail/stop/:token', async (request) => {
    const found = readStopToken(linkCode, (request.params as { token: string }).token)
    if (!found) throw notFound('errors.mailLinkEnded')
    const person = db.selectFrom('users').select('id').where('id', '=', found.userId)
    if (await person.executeTakeFirst()) await setRule(db, found.userId, found.rule, false)
    return { rule: found.rule }
  })
}
