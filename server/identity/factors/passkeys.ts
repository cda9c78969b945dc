import { generateRegistrationOptions, verifyRegistrationResponse } from '@simplewebauthn/server'
import { sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import { type AuditSource, writeAudit } from '../../audit/write-audit.ts'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, invalidField, notFound } from '../../errors.ts'
import { confirmPassword, lockSession } from './two-factor.ts'

const SETUP_SECONDS = 300
const SHOWN = ['id', 'name', 'createdAt', 'lastUsedAt'] as const

interface Act {
  userId: string
  sessionId: string
  source: AuditSource
}

/** The page that talks to the browser's authenticator. */
interface Site {
  /** The host name that a passkey is bound to. */
  rpId: string
  origins: string[]
}

/** The host name and the origins of the page that sent a request. */
export const siteOf = ({ origin, origins }: { origin: string; origins: string[] }): Site => ({
  rpId: new URL(origin).hostname,
  origins,
})

/**
 * Adds, renames and removes somebody's passkeys. Better Auth's plugin (`auth-plugins.ts`) reads the same table to sign in. Its
 * own calls for managing passkeys are not used: they require a session of the last day, but no password.
 */
export function createPasskeys(db: Db) {
  const mine = (userId: string) => db.selectFrom('passkeys').select(SHOWN).where('userId', '=', userId)

  return {
    list: (userId: string) => mine(userId).orderBy('createdAt').orderBy('id').execute(),

    /** @returns options for the browser. @throws AppError 400 for a wrong password, 409 */
    async begin({ userId, sessionId }: Act, password: string, { rpId }: Site) {
      await confirmPassword(db, userId, password)
      const { username, name } = await db
        .selectFrom('users')
        .select(['username', 'name'])
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      const known = await db.selectFrom('passkeys').select('credentialID').where('userId', '=', userId).execute()
      if (known.length >= limits.passkeys.all) throw conflict('too_many_passkeys', 'errors.tooManyPasskeys')
      const options = await generateRegistrationOptions({
        rpName: 'Parley',
        rpID: rpId,
        // The same for all of a person's passkeys, so that a device stores only one per account.
        userID: new TextEncoder().encode(userId),
        userName: username,
        userDisplayName: name,
        attestationType: 'none',
        excludeCredentials: known.map(({ credentialID }) => ({ id: credentialID })),
        // Discoverable without a username, and with user verification: it replaces the password and the second factor.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const setup = {
        value: options.challenge,
        expiresAt: sql<string>`clock_timestamp() + make_interval(secs => ${SETUP_SECONDS})`,
      }
      await db.transaction().execute(async (tx) => {
        await lockSession(tx, userId, sessionId)
        await tx.deleteFrom('verifications').where('identifier', '=', setupOf(sessionId)).execute()
        await tx
          .insertInto('verifications')
          .values({ id: newId(), identifier: setupOf(sessionId), ...setup })
          .execute()
      })
      return options as unknown as Record<string, unknown>
    },

    async add({ userId, sessionId, source }: Act, { name, response }: Added, { rpId, origins }: Site) {
      const setup = await db
        .deleteFrom('verifications')
        .where('identifier', '=', setupOf(sessionId))
        .where('expiresAt', '>', sql<string>`clock_timestamp()`)
        .returning('value')
        .executeTakeFirst()
      if (!setup) throw conflict('passkey_setup_ended', 'errors.passkeySetupEnded')
      const info = await readRegistration(response, {
        expectedChallenge: setup.value,
        expectedOrigin: origins,
        expectedRPID: rpId,
      })
      return db.transaction().execute(async (tx) => {
        await lockSession(tx, userId, sessionId)
        const count = await tx.selectFrom('passkeys').select('id').where('userId', '=', userId).execute()
        if (count.length >= limits.passkeys.all) throw conflict('too_many_passkeys', 'errors.tooManyPasskeys')
        const added = await tx
          .insertInto('passkeys')
          .values({ id: newId(), userId, name, ...info })
          .onConflict((it) => it.doNothing())
          .returning(SHOWN)
          .executeTakeFirst()
        if (!added) throw invalidField('response', 'errors.passkeyRefused')
        // The person has just proven to have it, so this session counts as one that began with it.
        await tx.updateTable('sessions').set({ signedInBy: 'passkey' }).where('id', '=', sessionId).execute()
        await writeAudit(tx, { kind: 'passkey_added', actorId: userId, ...source })
        return added
      })
    },

    async rename(userId: string, id: string, name: string) {
      const renamed = await db
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('userId', '=', userId)
        .returning(SHOWN)
        .executeTakeFirst()
      if (!renamed) throw notFound('errors.passkeyNotFound')
      return renamed
    },

    remove: ({ userId, source }: Act, id: string) =>
      db.transaction().execute(async (tx) => {
        const removing = tx.deleteFrom('passkeys').where('id', '=', id).where('userId', '=', userId)
        if ((await removing.executeTakeFirst()).numDeletedRows === 0n) throw notFound('errors.passkeyNotFound')
        await writeAudit(tx, { kind: 'passkey_removed', actorId: userId, ...source })
      }),
  }
}

interface Added {
  name: string
  response: Record<string, unknown>
}

const setupOf = (sessionId: string) => `passkey-setup-${sessionId}`

type Expected = Omit<Parameters<typeof verifyRegistrationResponse>[0], 'response'>

/** @throws AppError 400 unless it is the response to our challenge, from our page */
async function readRegistration(response: Record<string, unknown>, expected: Expected) {
  const answer = response as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response']
  const verification = await verifyRegistrationResponse({
    response: answer,
    requireUserVerification: true,
    ...expected,
  }).catch(() => undefined)
  if (!verification?.verified) throw invalidField('response', 'errors.passkeyRefused')
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = verification.registrationInfo
  return {
    credentialID: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64'),
    counter: credential.counter,
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    transports: (credential.transports ?? []).join(',').slice(0, 200),
    aaguid,
  }
}

/** Removes all passkeys of somebody who lost them. Returns whether they had any. */
export async function endPasskeys(tx: Transaction<DB>, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('userId', '=', userId).executeTakeFirst()
  return numDeletedRows > 0n
}
