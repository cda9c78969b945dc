import { createHmac, randomBytes } from 'node:crypto'
import { hashPassword, symmetricDecrypt } from 'better-auth/crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { importJWK, SignJWT } from 'jose'
import { isUsername } from '#contract/users'
import { admitToWorkspace } from '../../channels/workspace.ts'
import { databaseTime } from '../../db/clock.ts'
import { newId } from '../../db/ids.ts'
import { models } from '../../identity/auth-models.ts'
import { TOKEN_LIFE_SECONDS } from '../../identity/bearer-tokens.ts'
import { owesSecondFactor } from '../../identity/factors/demand.ts'
import { readDevice } from '../../identity/factors/known-devices.ts'
import { areCookiesSecure } from '../../identity/session-cookie.ts'
import { readEntry } from '../../identity/workspace-entry.ts'
import { findLookAlike, namedUser } from '../../people/looks.ts'
import { lookOfUsername } from '../../text/lookalike-names.ts'

export interface NewPerson {
  name: string
  username: string
  email: string
  password: string
}

const SOURCE = { address: '127.0.0.1', userAgent: 'lightMyRequest' }
/** Each takes milliseconds to compute, and only tests of passwords need different ones. */
const hashes = new Map<string, Promise<string>>()
const keys = new Map<string, ReturnType<typeof importJWK>>()

/**
 * Stores the rows that a sign-up stores (store-person.test.ts), at a quarter of its cost.
 * @returns undefined if the sign-up would do more, or be refused: then it needs the API
 */
export async function storePerson(app: FastifyInstance, person: NewPerson) {
  const { db, config } = app
  const { username } = person
  const isPlain = !config.mail && !config.oidc && isUsername(username)
  const admission = isPlain && (await admit(app))
  if (!admission || (await findLookAlike(db, username))) return undefined
  const userId = newId()
  const sessionId = newId()
  const sessionToken = randomBytes(16).toString('hex')
  const device = await insertRows(app, { ...person, ...admission }, { userId, sessionId, sessionToken })
  if (!device || !(await admitToWorkspace({ ...app, log: app.log }, userId))) return undefined
  const signature = createHmac('sha256', app.secret).update(sessionToken).digest('base64')
  const prefix = areCookiesSecure(config) ? '__Secure-' : ''
  const cookie = `${prefix}parley.session_token=${encodeURIComponent(`${sessionToken}.${signature}`)}; parley.browser=${device.id}`
  return { id: userId, cookie, token: await signToken(app, userId, sessionId) }
}

/** The first person founds the workspace. */
async function admit({ db, config }: FastifyInstance) {
  const { isFounded, isDemo, signUp } = await readEntry(db, config)
  if (isFounded) return signUp === 'open' ? { isFounder: false } : undefined
  return isDemo ? undefined : { isFounder: true }
}

interface Ids {
  userId: string
  sessionId: string
  sessionToken: string
}

/** Returns the device that the session is on; undefined if the address is taken. */
async function insertRows({ db }: FastifyInstance, person: NewPerson & { isFounder: boolean }, ids: Ids) {
  const { name, username, email, password, isFounder } = person
  const { userId, sessionId, sessionToken } = ids
  const now = new Date().toISOString()
  const times = { createdAt: now, updatedAt: now }
  const hash = hashes.get(password) ?? hashPassword(password)
  hashes.set(password, hash)
  const named = await namedUser(db, name)
  const usernameLook = lookOfUsername(username)
  const names = { ...named, email, username, displayUsername: username, usernameLook }
  const user = { id: userId, ...names, isFounder, ...times }
  const account = { id: newId(), userId, accountId: userId, providerId: 'credential', password: await hash, ...times }
  const expiresAt = new Date(Date.now() + models.session.expiresIn * 1000).toISOString()
  const { address: ipAddress, userAgent } = SOURCE
  const session = { id: sessionId, userId, token: sessionToken, expiresAt, ipAddress, userAgent, ...times }
  const request = { headers: { 'user-agent': userAgent }, caller: { address: ipAddress } }
  const device = readDevice(request as unknown as FastifyRequest)
  const devices = device.hashes.map((deviceHash) => ({ userId, deviceHash }))
  try {
    await db
      .with('stored', (it) => it.insertInto('users').values(user))
      .insertInto('accounts')
      .values(account)
      .execute()
  } catch (error) {
    if ((error as { code?: string }).code === '23505') return undefined
    throw error
  }
  // By itself, because triggers note the sign-in after the sign-up.
  await db
    .with('stored', (it) => it.insertInto('sessions').values({ ...session, signedInBy: 'password' }))
    .insertInto('known_devices')
    .values(devices)
    .execute()
  return device
}

/** Signs a bearer token like Better Auth. */
async function signToken({ db, secret }: FastifyInstance, userId: string, sessionId: string) {
  const [key, isLimited] = await Promise.all([
    db.selectFrom('signing_keys').select(['id', 'privateKey']).orderBy('createdAt', 'desc').executeTakeFirstOrThrow(),
    owesSecondFactor(db, sessionId),
  ])
  const decrypt = async () =>
    importJWK(JSON.parse(await symmetricDecrypt({ key: secret, data: JSON.parse(key.privateKey) })), 'EdDSA')
  const imported = keys.get(key.id) ?? decrypt()
  keys.set(key.id, imported)
  return new SignJWT({ sid: sessionId, ...(isLimited && { limited: true }) })
    .setProtectedHeader({ alg: 'EdDSA', kid: key.id })
    .setSubject(userId)
    .setExpirationTime(Math.floor(databaseTime() / 1000) + TOKEN_LIFE_SECONDS)
    .setIssuer('parley')
    .setAudience('parley')
    .sign(await imported)
}
