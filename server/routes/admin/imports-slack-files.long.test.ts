import { expect, test } from 'vitest'
import { PICTURE } from '../../test/support/fixture.ts'
import { exported, startImportFromSlack } from '../../test/support/import-from-slack.ts'
import { channelOf, messagesOf } from '../../test/support/imported-workspace.ts'

const { parley, slack, olga, eve, newest, until, uploaded, start, retry, shown } = await startImportFromSlack()

const storedChoices = async () => {
  const { id } = await newest()
  return parley.app.db.selectFrom('imports').select('choices').where('id', '=', id).executeTakeFirstOrThrow()
}

test('files that an export only links to are counted, and fetched with the token in their links', async () => {
  const file = slack.file('F1', 'plan.png', Buffer.from(PICTURE), 'image/png')
  const link = { ...file, url_private_download: `${file.url_private_download}?t=${slack.exportToken}` }
  const { plan } = await uploaded(exported({ text: 'see', files: [link] }))
  expect(plan).toMatchObject({ files: 0, linked: { files: 1, bytes: PICTURE.length }, omitted: [] })
  expect(slack.requests).toEqual([])
  expect(await start({ slack: {} })).toMatchObject({ status: 200 })
  const done = await until('done')
  expect(done.plan).toMatchObject({ files: 1, fileBytes: PICTURE.length, omitted: [] })
  expect(done.plan?.notFetched).toBeUndefined()
  expect(await shown()).toEqual([['see', ['plan.png']]])
  const [{ files }] = await messagesOf(olga, (await channelOf(olga, 'design'))?.id)
  const headers = { authorization: `Bearer ${olga.token}` }
  const { rawPayload } = await parley.app.inject({ url: files[0].url, headers })
  expect(rawPayload).toEqual(Buffer.from(PICTURE))
})

test('without the choice nothing is fetched, and messages name their files', async () => {
  const file = slack.file('F1', '*plan*.txt', 'x')
  await uploaded(exported({ text: 'see', files: [file] }, { files: [file, { ...file, id: 'F2', name: 'b.txt' }] }))
  await start()
  const { plan } = await until('done')
  expect(plan?.omitted).toEqual([{ omission: 'missingFile', count: 3, examples: ['*plan*.txt', 'b.txt'] }])
  expect(slack.requests).toEqual([])
  expect(await shown()).toEqual([
    ['see\n\n📎 `*plan*.txt`', []],
    ['📎 `*plan*.txt`\n📎 `b.txt`', []],
  ])
})

test('a token fetches private files and emoji, is checked first, and is forgotten afterwards', async () => {
  const file = slack.file('F1', 'notes.txt', 'hello', 'text/plain')
  slack.picture('party', PICTURE)
  slack.emoji['fiesta'] = 'alias:party'
  slack.emoji['broken'] = `${slack.origin}/emoji/broken.png`
  const reactions = [{ name: 'fiesta', users: ['U1'] }]
  const { plan } = await uploaded(exported({ text: 'a :party:', files: [file], reactions }))
  expect(plan?.omitted).toMatchObject([{ omission: 'customEmoji', examples: [':fiesta:'] }])
  expect(await start({ slack: { token: 'xoxp-1-wrong' } })).toMatchObject({ status: 400, code: 'invalid' })
  expect(await start({ slack: { token: 'two words' } })).toMatchObject({ status: 400, code: 'invalid' })
  expect(await newest()).toMatchObject({ state: 'ready' })
  slack.requests.length = 0
  expect(await start({ slack: { token: slack.token } })).toMatchObject({ status: 200 })
  const done = await until('done')
  expect(done.plan).toMatchObject({ omitted: [], notFetched: { count: 1, names: [':broken:'] } })
  expect(await shown()).toEqual([['a :party:', ['notes.txt']]])
  const { body: emoji } = await olga.get('/api/emoji')
  expect(emoji).toMatchObject([{ name: 'party', aliases: ['fiesta'] }])
  // Pictures of emoji are on another host, which must not see the token.
  for (const { path, authorization } of slack.requests)
    expect([path, authorization]).toEqual([path, path.startsWith('/emoji/') ? undefined : `Bearer ${slack.token}`])
  expect(JSON.stringify(done)).not.toContain(slack.token)
  expect(await storedChoices()).toEqual({ choices: { channels: {}, people: {}, slack: {} } })
})

test('a token is stored sealed, and forgotten by an undo, too', async () => {
  const file = slack.file('F1', 'slow.txt', 'x')
  slack.answers.set(new URL(file.url_private_download).pathname, () => {})
  await uploaded(exported({ files: [file] }))
  await start({ slack: { token: slack.token } })
  await expect.poll(() => slack.requests.some(({ path }) => path.startsWith('/files-pri/'))).toBe(true)
  expect(JSON.stringify(await storedChoices())).toMatch(/"token":"[\w+/=]{40,}"/)
  expect(JSON.stringify(await storedChoices())).not.toContain(slack.token)
  const { id } = await newest()
  await olga.delete(`/api/imports/${id}`)
  await until('undone')
  expect(await storedChoices()).toEqual({ choices: {} })
})

test('if Slack refuses, the import stops, and goes on with a token or without what it refuses', async () => {
  const [first, second] = [slack.file('F1', 'a.txt', 'a'), slack.file('F2', 'b.txt', 'b')]
  await uploaded(exported({ text: 'one', files: [first] }, { text: 'two', files: [second] }))
  await start({ slack: {} })
  const failed = await until('failed')
  expect(failed).toMatchObject({ canRetry: true, problem: { reason: 'import.filesRefused' } })
  expect(await channelOf(olga, 'design')).toBeUndefined()
  expect(await eve.post(`/api/imports/${failed.id}/retry`, { slack: { token: slack.token } })).toMatchObject({
    status: 403,
  })
  expect(await retry({ slack: { token: 'xoxp-1-wrong' } })).toMatchObject({ status: 400 })
  expect(await retry()).toMatchObject({ status: 200 })
  await until('failed')
  // One of the files stays private even for the token.
  slack.answers.set(new URL(second.url_private_download).pathname, (response) => response.writeHead(403).end())
  expect(await retry({ slack: { token: slack.token } })).toMatchObject({ status: 200 })
  const { plan } = await until('done')
  expect(plan?.notFetched).toEqual({ count: 1, names: ['b.txt'] })
  expect(await shown()).toEqual([
    ['one', ['a.txt']],
    ['two\n\n📎 `b.txt`', []],
  ])
})

test('the owner may leave out what Slack refuses', async () => {
  const file = slack.file('F1', 'a.txt', 'a')
  await uploaded(exported({ text: 'one', files: [file] }))
  await start({ slack: {} })
  await until('failed')
  await retry({ slack: { skipsRefused: true } })
  const { plan } = await until('done')
  expect(plan?.notFetched).toEqual({ count: 1, names: ['a.txt'] })
  expect(await shown()).toEqual([['one\n\n📎 `a.txt`', []]])
})

test('a page instead of a file is a refusal; a file that is a page is not', async () => {
  const page = slack.file('F1', 'report.html', '<p>numbers', 'text/html')
  const picture = slack.file('F2', 'a.png', '<p>Sign in', 'text/html')
  await uploaded(
    exported({ text: 'one', files: [page] }, { text: 'two', files: [{ ...picture, mimetype: 'image/png' }] }),
  )
  await start({ slack: { token: slack.token } })
  const { plan } = await until('done')
  expect(plan?.notFetched).toEqual({ count: 1, names: ['a.png'] })
  expect(await shown()).toEqual([
    ['one', ['report.html']],
    ['two\n\n📎 `a.png`', []],
  ])
})

test('waits when Slack asks for it, tries again what breaks off, and names what is gone', async () => {
  const files = ['busy', 'broken', 'gone', 'ill'].map((name) =>
    slack.file(`F${name}`, `${name}.txt`, name.repeat(1000)),
  )
  const pathOf = (n: number) => new URL((files[n] as { url_private_download: string }).url_private_download).pathname
  const once = (n: number, answer: Parameters<typeof slack.answers.set>[1]) =>
    slack.answers.set(pathOf(n), (response, request) => {
      slack.answers.delete(pathOf(n))
      return answer(response, request)
    })
  once(0, (response) => response.writeHead(429, { 'retry-after': '1' }).end())
  once(1, (response) => {
    response.writeHead(200, { 'content-length': '6000' }).write('broken')
    setTimeout(() => response.destroy(), 50)
  })
  slack.files.delete(pathOf(2))
  once(3, (response) => response.writeHead(503).end())
  await uploaded(exported({ text: 'all', files }))
  await start({ slack: { token: slack.token } })
  const { plan } = await until('done')
  expect(plan?.notFetched).toEqual({ count: 1, names: ['gone.txt'] })
  expect(await shown()).toEqual([['all\n\n📎 `gone.txt`', ['busy.txt', 'broken.txt', 'ill.txt']]])
  const [{ files: stored }] = await messagesOf(olga, (await channelOf(olga, 'design'))?.id)
  expect(stored.map(({ size }: { size: number }) => size)).toEqual([4000, 6000, 3000])
})
