import { expect, test } from 'vitest'
import type { Session } from '#contract/sessions'
import { startMailServer } from '../../test/services/mail-server.ts'
import { openCookieClient } from '../../test/support/cookie-client.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

type Parley = Awaited<ReturnType<typeof startParley>>

/** Signs in with a browser's cookies. */
async function signIn(
  { app, address }: Parley,
  { username }: Person,
  password: string,
  userAgent: string,
  browser = openCookieClient(),
) {
  const answer = await browser.ask(`${address}/api/auth/sign-in/username`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, origin: app.config.publicUrl ?? address },
    body: JSON.stringify({ username, password }),
  })
  return { status: answer.status, browser }
}

/** Only mails with these words, because signing up sends a mail as well. */
const alertsOf = ({ received }: Awaited<ReturnType<typeof startMailServer>>, words = 'A new device') =>
  received.filter(({ raw }) => raw.includes(words))

const newOf = async (person: Person) =>
  ((await person.get('/api/sessions')).body as Session[]).filter(({ isNew }) => isNew).map(({ device }) => device)

test('a sign-in on a new device is marked and mailed; later ones on that device are not', async () => {
  const smtp = await startMailServer()
  const settings = { SMTP_URL: smtp.url(), MAIL_FROM: 'Parley <chat@example.com>', PUBLIC_URL: 'http://localhost' }
  const parley = await startParley(settings)
  const { ada, bob } = await parley.people('ada', 'bob')
  // The first device of a person doesn't count as new.
  expect(await newOf(bob)).toEqual([])
  const { browser, status } = await signIn(parley, bob, bob.password, FIREFOX)
  expect(status).toBe(200)
  expect(await newOf(bob)).toEqual(['Firefox on Linux'])
  await expect.poll(() => alertsOf(smtp).length).toBe(1)
  const [mail] = alertsOf(smtp)
  expect(mail?.to).toBe('bob@example.com')
  expect(mail?.header('Subject')).toBe('A new device signed in to your Parley account')
  expect(mail?.raw).toContain('Firefox on Linux')
  expect(mail?.raw).toContain('@bob')
  expect(mail?.raw).not.toContain('session')

  // The same browser after an update.
  await signIn(parley, bob, bob.password, FIREFOX.replaceAll('140', '141'), browser)
  // A program without cookies that sends the same user agent as before.
  await signIn(parley, bob, bob.password, FIREFOX)
  expect(await newOf(bob)).toHaveLength(1)
  // A failed sign-in doesn't make a device known.
  expect((await signIn(parley, ada, 'not the right one', CHROME)).status).toBe(401)
  expect(await newOf(ada)).toEqual([])
  await signIn(parley, ada, ada.password, CHROME)
  await expect.poll(() => alertsOf(smtp).map(({ to }) => to)).toEqual(['bob@example.com', 'ada@example.com'])
  // The same browser is new to another account.
  await signIn(parley, ada, ada.password, FIREFOX, browser)
  await expect.poll(() => alertsOf(smtp).length).toBe(3)
})

test('the mail is in its reader’s language, and links to the configured address', async () => {
  const smtp = await startMailServer()
  const settings = { SMTP_URL: smtp.url(), MAIL_FROM: 'chat@example.com', PUBLIC_URL: 'https://chat.example.com' }
  const parley = await startParley(settings)
  const { ada } = await parley.people('ada')
  await ada.patch('/api/users/me', { language: 'de' })
  await signIn(parley, ada, ada.password, FIREFOX)
  await expect.poll(() => alertsOf(smtp, 'Ein neues').length).toBe(1)
  const [mail] = alertsOf(smtp, 'Ein neues')
  expect(mail?.raw).toContain('https://chat.example.com')
  expect(mail?.raw).not.toContain(parley.address)
  await ada.patch('/api/users/me', { language: 'tlh' })
  await signIn(parley, ada, ada.password, CHROME)
  await expect.poll(() => alertsOf(smtp).length).toBe(1)
})

test('without SMTP, new devices are still marked', async () => {
  const parley = await startParley()
  const { ada } = await parley.people('ada')
  await signIn(parley, ada, ada.password, FIREFOX)
  expect(await newOf(ada)).toEqual(['Firefox on Linux'])
  expect(await parley.app.db.selectFrom('mails').select('id').execute()).toEqual([])
})
