import { io as connect } from 'socket.io-client'
import { expect, test } from 'vitest'
import { startParley } from '../test/support/parley.ts'

const OURS = 'https://chat.example.com'
const untilRefused = (address: string, origin: string) =>
  new Promise((resolve) => {
    const socket = connect(address, { transports: ['websocket'], extraHeaders: { origin }, reconnection: false })
    socket.on('connect_error', resolve)
  })

test('if PUBLIC_URL differs from the address in the browser, the log names both, once', async () => {
  const log: string[] = []
  const settings = { LOG_LEVEL: 'warn', PUBLIC_URL: OURS }
  const parley = await startParley(settings, { write: (line) => log.push(JSON.parse(line).msg) })
  const ada = await parley.person('ada')
  const signOut = (origin: string) =>
    parley.app.inject({
      method: 'POST',
      url: '/api/auth/sign-out',
      payload: {},
      headers: { origin, cookie: ada.cookie },
    })
  for (let n = 0; n < 3; n++) expect((await signOut(parley.address)).statusCode).toBe(403)
  await untilRefused(parley.address, parley.address)
  const refused = (origin: string) =>
    `Requests from pages of ${origin} are refused, because the address of this server is ${OURS}. If people use the former, set PUBLIC_URL to it.`
  expect(log).toEqual([refused(parley.address)])
  await untilRefused(parley.address, 'https://elsewhere.example')
  expect(log).toEqual([refused(parley.address), refused('https://elsewhere.example')])
  for (let n = 0; n < 20; n++) await signOut(`https://${n}.example`)
  expect(log).toHaveLength(10)
  expect((await signOut(OURS)).statusCode).toBe(200)
})
