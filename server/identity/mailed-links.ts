import { sql, type Transaction } from 'kysely'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import type { LinkCode } from '../mail/link-codes.ts'
import { hashOf } from './sign-up-policy.ts'

type MailedLinkKind = 'password' | 'confirm' | 'change'

interface NewLink {
  userId: string
  kind: MailedLinkKind
  /** The address that it is sent to. */
  email: string
  hours: number
}

/** Stores a link to be mailed; it replaces the person's earlier link of this kind. Returns the purpose of its code. */
export async function storeMailedLink(
  tx: Transaction<DB>,
  linkCode: LinkCode,
  { userId, kind, email, hours }: NewLink,
) {
  const id = newId()
  const codeFor = `${kind} ${id}`
  const link = {
    id,
    codeHash: hashOf(linkCode(codeFor)),
    email,
    createdAt: sql<string>`clock_timestamp()`,
    expiresAt: sql<string>`clock_timestamp() + make_interval(hours => ${hours})`,
  }
  await tx
    .insertInto('mail_links')
    .values({ userId, kind, ...link })
    .onConflict((row) => row.columns(['userId', 'kind']).doUpdateSet(link))
    .execute()
  return codeFor
}
