import { callApi, composer, createChannel, expect, message, say, test, uniqueName } from '../support/fixtures.ts'

// The code of the IndexedDB outbox loads after the page.
const code = '**/assets/outbox-database-*'
const posts = '**/api/messages'

test('a message written before the database code has loaded survives a crash of the page', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  const id = await createChannel(ada, uniqueName('dies'))
  await ada.route(code, () => {})
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await say(ada, 'my last words')
  await expect(message(ada, 'my last words')).toBeVisible()
  const died = new Promise((resolve) => ada.once('crash', resolve))
  const devtools = await ada.context().newCDPSession(ada)
  // The command never responds.
  void devtools.send('Page.crash').catch(() => {})
  await died

  const again = await ada.context().newPage()
  await again.goto(`/channels/${id}`)
  await expect(message(again, 'my last words')).toHaveCount(1)
  await expect
    .poll(async () =>
      (await callApi(again, 'GET', `/api/messages/channel/${id}`)).map(({ content }: { content: string }) => content),
    )
    .toEqual(['my last words'])
})

test('messages left by an earlier page are sent once the database code has loaded', { tag: '@long' }, async ({
  person,
}) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('left'))
  const context = ada.context()
  await context.route(posts, (route) => route.abort())
  await say(ada, 'left behind')
  await expect(message(ada, 'left behind')).toContainText('Waiting to send')

  let refused = 0
  await context.route(code, (route) => {
    refused++
    return route.abort()
  })
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await expect.poll(() => refused).toBeGreaterThan(0)
  await context.unroute(posts)
  await context.unroute(code)
  await expect(message(ada, 'left behind')).toBeVisible()
  await expect(message(ada, 'left behind').and(ada.locator('[data-message]'))).toBeVisible()
})

test('if the database code never loads, signing out asks, and leaves no message', async ({ person }) => {
  const ada = await person('Ada Lovelace')
  await createChannel(ada, uniqueName('leaves'))
  const context = ada.context()
  await context.route(posts, (route) => route.abort())
  await say(ada, 'a secret that waits')
  await expect(message(ada, 'a secret that waits')).toContainText('Waiting to send')
  await context.route(code, (route) => route.abort())
  await ada.reload()
  await expect(composer(ada)).toBeVisible()
  await ada.getByRole('button', { name: 'Sign Out' }).click()
  await expect(ada.getByText("Unsent messages couldn't be counted.")).toBeVisible()
  await ada.getByRole('button', { name: 'Discard and sign out' }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  const kept = () =>
    ada.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = indexedDB.open('parley')
          opening.onsuccess = () => {
            const all = opening.result.transaction('messages').objectStore('messages').getAll()
            all.onsuccess = () => {
              opening.result.close()
              resolve(all.result)
            }
          }
        }),
    )
  await expect.poll(kept).toEqual([])
})
