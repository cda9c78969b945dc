import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { SignUpMode } from '#contract/identity'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'

/** Characters of the owner's code: 128 bits in base64url. */
const CODE_CHARACTERS = 22

export interface WorkspaceEntry {
  name: string
  /** Whether somebody owns it, or has the account that is about to. */
  isFounded: boolean
  /** Who may sign up once it is founded. */
  signUp: SignUpMode
  /** Whether SIGNUP decides that, so that nobody can change it in the interface. */
  isSignUpFixed: boolean
  /** Whether the owner has completed or skipped the first screen. */
  isSetUp: boolean
  /** Whether it is filled with the demo. */
  isDemo: boolean
  /** Whether earlier texts of edited messages are kept and shown. */
  keepsVersions: boolean
  filesId: string
}

/** How people enter the workspace, and what they find there. */
export async function readEntry(db: Db | Transaction<DB>, config: Pick<Config, 'signUp'>): Promise<WorkspaceEntry> {
  const founder = db.selectFrom('users').select('id').where('isFounder', '=', true)
  const { isFounded, signUp, demo, ...rest } = await db
    .selectFrom('workspace')
    .select(['name', 'filesId', 'signUp', 'isSetUp', 'demo', 'keepsVersions'])
    .select(({ eb, exists, or }) => or([eb('ownerId', 'is not', null), exists(founder)]).as('isFounded'))
    .executeTakeFirstOrThrow()
  return {
    ...rest,
    isDemo: demo !== null && demo !== 'filling',
    isFounded: Boolean(isFounded),
    // Until the owner has chosen, nobody just walks in. A workspace of an earlier version counts as set up.
    signUp: config.signUp ?? (signUp as SignUpMode | null) ?? (rest.isSetUp ? 'open' : 'invite'),
    isSignUpFixed: config.signUp !== undefined,
  }
}

/**
 * The code of the owner's link: whoever knows it may become the first owner. It is the same on all nodes and after a restart.
 * @param filesId differs in every workspace, even if the secret is used again
 */
export const ownerCodeOf = ({ filesId }: Pick<WorkspaceEntry, 'filesId'>, secret: string) =>
  createHmac('sha256', secret).update(`first owner of ${filesId}`).digest('base64url').slice(0, CODE_CHARACTERS)

/** Compares without revealing by the time it takes how much is equal. */
export function isSameCode(typed: unknown, code: string): boolean {
  const [given, expected] = [Buffer.from(typeof typed === 'string' ? typed : ''), Buffer.from(code)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
