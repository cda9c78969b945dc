import { untilShellStored } from '../support/app-shell.ts'
import { untilKept } from '../support/device-cache.ts'
import { composer, expect, message, say, test } from '../support/fixtures.ts'
import { messageId } from '../support/message-rows.ts'

test.use({ serviceWorkers: 'allow' })

test('a page from the shell can’t read what is kept of a session that ended, even if an earlier page left its secret', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  const context = ada.context()
  await say(ada, 'private words')
  await messageId(ada, 'private words')
  await untilKept(ada)
  await untilShellStored(ada)
  const href = ada.url()
  const { token } = await ada.evaluate(async () => (await fetch('/api/auth/token')).json())
  // As a page that is closed before its scripts run.
  await context.request.get(href, { headers: { accept: 'text/html' } })
  const cookieNames = async () => (await context.cookies()).map(({ name }) => name)
  expect(await cookieNames()).toContain('parley.device')
  await ada.close()
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(new URL('/api/sessions', href), { method: 'DELETE', headers })).ok).toBe(true)

  network.cut()
  const page = await context.newPage()
  await page.goto(href)
  await expect(page.getByRole('alert')).toContainText("Can't reach Parley")
  await expect(message(page, 'private words')).toHaveCount(0)
  expect(await cookieNames()).not.toContain('parley.device')
})

test('pages open although the browser can’t read its caches', async ({ person, network }) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await untilShellStored(ada)
  const [worker] = ada.context().serviceWorkers()
  await worker?.evaluate(() => {
    CacheStorage.prototype.match = () => Promise.reject(new DOMException('Unexpected internal error', 'UnknownError'))
  })
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
})

test('scripts come from the shell of the worker’s build, whatever else is in the caches', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await untilShellStored(ada)
  await ada.evaluate(async () => {
    const entry = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? ''
    const names = await caches.keys()
    const shells = await Promise.all(
      names.map(async (name) => ({ name, files: await (await caches.open(name)).keys() })),
    )
    const evil = () => new Response('document.title = "evil"', { headers: { 'content-type': 'text/javascript' } })
    // The browser searches the oldest cache first: store the shell again after the others.
    const shell = shells.find(({ name }) => name.startsWith('parley shell '))
    if (!shell) throw new Error('There is no shell')
    const copies = await Promise.all(
      shell.files.map(async (file) => [file, await caches.match(file, { cacheName: shell.name })] as const),
    )
    await caches.delete(shell.name)
    for (const name of ['other', 'parley shell 0']) await (await caches.open(name)).put(entry, evil())
    const again = await caches.open(shell.name)
    for (const [file, response] of copies) if (response) await again.put(file, response)
  })
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  expect(await ada.title()).not.toBe('evil')
})

test('a worker that takes over removes incomplete shells, and all but the one used last', async ({
  person,
  network,
}) => {
  const ada = await person('Ada Lovelace', { address: network.address })
  await untilShellStored(ada)
  await ada.evaluate(async () => {
    for (const [name, activated] of Object.entries({ last: '1001', before: '1000', half: undefined })) {
      const shell = await caches.open(`parley shell ${name}`)
      if (activated) await shell.put('/activated', new Response(activated))
      await shell.put('/icon.svg', new Response('an icon'))
    }
    await (await navigator.serviceWorker.ready).unregister()
  })
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await untilShellStored(ada)
  const others = () =>
    ada.evaluate(async () => (await caches.keys()).filter((name) => /^parley shell (\D+)$/.test(name)))
  await expect.poll(others).toEqual(['parley shell last'])
})
