import type { Config } from '../config/config.ts'
import { openDatabase } from '../db/database.ts'
import { reasonOf } from '../errors.ts'
import { ownerCodeOf, readEntry } from './workspace-entry.ts'

/**
 * What a start says about who may enter: the link for the first owner, or a warning that anybody may sign up.
 * @param address at which people reach Parley
 */
export async function describeEntry(
  config: Config,
  databaseUrl: string,
  secret: string,
  address: string,
): Promise<string[]> {
  const { db } = openDatabase(databaseUrl, { onError: console.error, max: 1 })
  try {
    const entry = await readEntry(db, config)
    if (!entry.isFounded)
      return [
        '',
        '  This workspace has no owner yet. Whoever opens this link becomes its owner:',
        `  ${address}/sign-up#${ownerCodeOf(entry, secret)}`,
        ...(config.publicUrl ? [] : ['  At another address of this server, the end from /sign-up is the same.']),
      ]
    const isReachable = !['localhost', '127.0.0.1', '::1'].includes(config.host)
    return entry.signUp === 'open' && isReachable
      ? ['  Sign-up is open: anyone who can reach this address can join.']
      : []
  } catch (error) {
    return [`  Could not read who may sign up: ${reasonOf(error)}`]
  } finally {
    await db.destroy()
  }
}
