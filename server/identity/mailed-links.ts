import { sql, type Transaction } from 'kysely'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import type { LinkCode } from '../mail/link-codes.ts'
import { hashOf } from './sign-up-policy.ts'

type MailedLinkKind = 'password' | 'confirm' | 'change'

interface NewLink {
  userId: string
  kind: MailedLinkKind
  /** Where it is sent. */
  email: string
  hours: number
}

/** Stores a link that a mail will bring; the person's earlier one of this kind ends. Returns the purpose of its code. */
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
