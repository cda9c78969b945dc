import { timingSafeEqual } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type MailRule, mailRuleDefaults, mailRuleNames } from '#contract/mail-rules'
import type { DB } from '../db/schema.ts'
import type { LinkCode } from '../mail/link-codes.ts'

const DIGEST_DAYS = 7

/** Whether a person wants mail by a rule, in SQL. */
export const isWanted = (person: string, rule: ReturnType<typeof sql> | ReturnType<typeof sql.ref>) =>
  sql<boolean>`coalesce(
    (select "isOn" from mail_rules r where r."userId" = ${sql.ref(person)} and r.rule = ${rule}),
    ${rule} = any(${mailRuleNames.filter((it) => mailRuleDefaults[it])}::text[])
  )`

export async function readRules(db: Kysely<DB> | Transaction<DB>, userId: string): Promise<Record<MailRule, boolean>> {
  const rows = await db.selectFrom('mail_rules').select(['rule', 'isOn']).where('userId', '=', userId).execute()
  const chosen = Object.fromEntries(rows.map(({ rule, isOn }) => [rule, isOn]))
  return Object.fromEntries(mailRuleNames.map((it) => [it, chosen[it] ?? mailRuleDefaults[it]])) as Record<
    MailRule,
    boolean
  >
}

/** The first digest is due a week after it was chosen. */
export async function setRule(db: Kysely<DB> | Transaction<DB>, userId: string, rule: MailRule, isOn: boolean) {
  const dueAt =
    rule === 'digest' && isOn ? sql<string>`clock_timestamp() + make_interval(days => ${DIGEST_DAYS})` : null
  await db
    .insertInto('mail_rules')
    .values({ userId, rule, isOn, dueAt })
    .onConflict((row) =>
      row
        .columns(['userId', 'rule'])
        .doUpdateSet({ isOn, dueAt })
        // Choosing it again doesn't postpone the digest.
        .where('mail_rules.isOn', '<>', isOn),
    )
    .execute()
}

const purposeOf = (rule: MailRule, userId: string) => `stop ${rule} ${userId}`

/** The token of a link that stops a rule without a sign-in: it names the rule and the person, and is authenticated. */
export const stopToken = (linkCode: LinkCode, rule: MailRule, userId: string) =>
  [rule, Buffer.from(userId).toString('base64url'), linkCode(purposeOf(rule, userId))].join('.')

/** Undefined for a token that we didn't issue. */
export function readStopToken(linkCode: LinkCode, token: string): { rule: MailRule; userId: string } | undefined {
  const [rule, person = '', code = ''] = token.split('.')
  const userId = Buffer.from(person, 'base64url').toString()
  const known = mailRuleNames.find((it) => it === rule)
  if (!known) return undefined
  const [expected, given] = [Buffer.from(linkCode(purposeOf(known, userId))), Buffer.from(code)]
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined
  return { rule: known, userId }
}

/** Claims a due digest for this node alone. */
export const claimDigest = (tx: Transaction<DB>) =>
  tx
    .updateTable('mail_rules')
    .set({ dueAt: sql<string>`clock_timestamp() + make_interval(days => ${DIGEST_DAYS})` })
    .where('rule', '=', 'digest')
    .where('userId', '=', (row) =>
      row
        .selectFrom('mail_rules')
        .select('userId')
        .where('rule', '=', 'digest')
        .where('isOn', '=', true)
        .where('dueAt', '<=', sql<string>`clock_timestamp()`)
        .orderBy('dueAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('userId')
    .executeTakeFirst()
