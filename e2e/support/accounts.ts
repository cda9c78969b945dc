import { expect } from '@playwright/test'

let count = 0

/** 'Ada Lovelace' → a username that is unique in this run. */
export const uniqueName = (name: string) => {
  const word = name.toLowerCase().replace(/[^a-z]+/g, '.')
  return `${word === '.' ? 'someone' : word}.${Date.now().toString(36)}${count++}`
}

export function newAccount(name: string) {
  const username = uniqueName(name)
  return { name, username, email: `${username}@example.com`, password: 'correct horse' }
}

/** The status of a server that cannot hash a password in time, although it may have created the account. */
export const BUSY = 503

export const ownerAccount = newAccount('Olga Owner')

/**
 * The first person on this machine owns the workspace and #general. With a dedicated owner, all people of the journeys are
 * members, whoever comes first. They have completed the first screen.
 * @param code from the owner's link, for servers behind a proxy
 */
export async function signUpOwner(address: string, code?: string) {
  const post = () =>
    fetch(`${address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: address, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ownerAccount, invite: code }),
    })
  let answer = await post()
  while (answer.status === BUSY) answer = await post()
  expect(answer.status).toBe(200)
  const cookie = answer.headers
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ')
  const { token } = await (await fetch(`${address}/api/auth/token`, { headers: { cookie } })).json()
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const setUp = await fetch(`${address}/api/workspace/set-up`, { method: 'POST', headers, body: '{}' })
  expect(setUp.status).toBe(204)
}
