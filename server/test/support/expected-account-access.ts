import type { Row } from './access-row.ts'

const forEveryone = (status: number): Pick<Row, 'private' | 'direct'> => ({
  private: [status, status, status, status],
  direct: [status, status],
})
const UNKNOWN = { passkeyId: '0199a1de-0000-7000-8000-000000000000' }
const NO_BROWSER = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'AA', auth: 'AA' }, publicKey: 'AA' }
const WRONG = { password: 'not the right one' }

/** Calls about one's own account. */
export const ownAccountRows: Record<string, Row> = {
  getTwoFactor: { input: () => ({}), ...forEveryone(200) },
  setUpTwoFactor: { input: () => ({ body: WRONG }), ...forEveryone(400) },
  turnOnTwoFactor: { input: () => ({ body: { code: '000000' } }), ...forEveryone(409) },
  renewRecoveryCodes: { input: () => ({ body: WRONG }), ...forEveryone(400) },
  getHandover: { input: () => ({}), ...forEveryone(200) },
  // There is no request here; see handover.test.ts.
  offerWorkspace: { input: () => ({ body: { userId: 'nobody', ...WRONG } }), ...forEveryone(403), admin: 400 },
  withdrawHandover: { input: () => ({}), ...forEveryone(404) },
  answerHandover: { input: () => ({ body: { accepts: true } }), ...forEveryone(404) },
  getDeletion: { input: () => ({}), ...forEveryone(200) },
  // The owner has to hand over first. account.test.ts deletes accounts for good.
  deleteAccount: { input: () => ({ body: { username: 'nobody', ...WRONG } }), ...forEveryone(400), admin: 409 },
  getPush: { input: () => ({}), ...forEveryone(200) },
  // The browsers of others can't be named: each call is about one's own. push.test.ts subscribes.
  subscribeToPush: { input: () => ({ body: NO_BROWSER }), ...forEveryone(400) },
  changePush: { input: () => ({ body: { hidesText: true } }), ...forEveryone(404) },
  unsubscribeFromPush: { input: () => ({}), ...forEveryone(204) },
  testPush: { input: () => ({}), ...forEveryone(404) },
  listPasskeys: { input: () => ({}), ...forEveryone(200) },
  beginPasskey: { input: () => ({ body: WRONG }), ...forEveryone(400) },
  addPasskey: { input: () => ({ body: { name: 'Phone', response: {} } }), ...forEveryone(409) },
  getSecondFactorDemand: { input: () => ({}), ...forEveryone(403), admin: 200 },
  demandSecondFactor: { input: () => ({ body: { isDemanded: false } }), ...forEveryone(403), admin: 204 },
  // Passkeys of others look like missing ones.
  renamePasskey: { input: () => ({ params: UNKNOWN, body: { name: 'Phone' } }), ...forEveryone(404) },
  removePasskey: { input: () => ({ params: UNKNOWN }), ...forEveryone(404) },
  turnOffTwoFactor: { input: () => ({ body: WRONG }), ...forEveryone(400) },
}
