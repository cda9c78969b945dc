import { buffer } from 'node:stream/consumers'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { Export } from '#contract/exports'
import { type Person, startParley } from '../test/support/parley.ts'
import { readZip } from '../test/support/read-zip.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'
import { writeSearch } from './archive-search.ts'
import { channelsFor, type ExportedChannel } from './export-rows.ts'
import { createZip } from './zip.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')

interface Found {
  list: { pieces: number; conversations: [string, string][] }
  entries: { page: number; id: string; author: string; text: string; channelId: string }[]
}

/** The texts that the page of the search would read. */
async function searched(by: Person, body: object): Promise<Found & { files: Map<string, Buffer> }> {
  const { body: created } = await by.post('/api/exports', body)
  const state = async () =>
    (await by.get('/api/exports')).body.find(({ id }: Export) => id === created.id)?.state as string
  await expect.poll(state, { timeout: STATE_TIMEOUT_MS }).toBe('done')
  const { rawPayload } = await parley.app.inject({
    url: `/api/exports/${created.id}/archive`,
    headers: { authorization: `Bearer ${by.token}` },
  })
  const files = await readZip(rawPayload)
  let list: Found['list'] = { pieces: 0, conversations: [] }
  const entries: [number, number, string, string, string, string][] = []
  const archive = { open: (it: typeof list) => (list = it), read: (more: typeof entries) => entries.push(...more) }
  runInNewContext(String(files.get('search/list.js')), { archive })
  for (let piece = 1; piece <= list.pieces; piece++)
    runInNewContext(String(files.get(`search/${piece}.js`)), { archive })
  return {
    files,
    list,
    entries: entries.map(([number, page, id, , author, text]) => ({
      ...{ page, id, author, text },
      channelId: list.conversations[number]?.[0] ?? '',
    })),
  }
}

test('the texts of an archive are those of its pages: replies and files, nothing deleted, in pieces', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'plans', members: [bob.id] })
  const parent = await ada.say(channel.id, 'a "quoted"\u2028line </script>')
  const reply = await bob.post('/api/threads/messages', { parentMessageId: parent.id, content: 'in the thread' })
  const { body: file } = await ada.upload(channel.id, 'budget.csv', 'a;b', true)
  await ada.post('/api/messages', { channelId: channel.id, content: '', fileIds: [file.id] })
  await bob.upload(channel.id, 'loose.txt')
  const gone = await bob.say(channel.id, 'taken back')
  await bob.delete(`/api/messages/${gone.id}`)
  // More than a piece holds, and more than a page.
  const long = 'x'.repeat(8_000)
  const ids = new Map<string, string>()
  for (let n = 0; n < 8; n++)
    await Promise.all(
      Array.from({ length: 65 }, async (_, index) => {
        const text = `${n}-${index} ${index < 10 ? long : ''}`.trim()
        ids.set((await ada.say(channel.id, text)).id, text)
      }),
    )

  const { list, entries, files } = await searched(ada, { scope: 'channel', channelId: channel.id })
  expect(list).toMatchObject({ pieces: 2, conversations: [[channel.id, '#plans']] })
  expect(entries.slice(0, 3)).toMatchObject([
    { id: parent.id, page: 1, author: 'Ada', text: 'a "quoted"\u2028line </script>' },
    { id: reply.body.id, page: 1, author: 'Bob', text: 'in the thread' },
    { text: '📎 budget.csv' },
  ])
  expect(JSON.stringify(entries)).not.toContain('taken back')
  expect(new Map(entries.slice(3, -1).map(({ id, text }) => [id, text]))).toEqual(ids)
  // Each is on the page that it names.
  const loose = entries.pop()
  expect(loose).toMatchObject({ page: 0, author: 'Bob', text: '📎 loose.txt' })
  expect(String(files.get(`channels/${channel.id}/files.html`))).toContain(`id="f-${loose?.id}"`)
  expect(new Set(entries.map(({ page }) => page))).toEqual(new Set([1, 2]))
  const pages = new Map([1, 2].map((page) => [page, String(files.get(`channels/${channel.id}/${page}.html`))]))
  for (const { id, page } of entries) expect(pages.get(page)).toContain(`id="m-${id}"`)
  expect(pages.get(1)).toContain(`search.html?in=${channel.id}`)
})

test('only the page of the search runs scripts, and only those of the archive', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'evil </script><script>alert(1)</script>' })
  await ada.say(channel.id, '</script><script>alert(2)</script>')
  const { files } = await searched(ada, { scope: 'channel', channelId: channel.id })
  for (const [path, content] of files) {
    if (!path.endsWith('.html')) continue
    const scripts = [...String(content).matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    const isSearch = path === 'search.html'
    expect(scripts, path).toEqual(isSearch ? ['<script src="search/search.js">', '<script src="search/list.js">'] : [])
    const policy = isSearch ? "script-src 'self' file:" : "default-src 'none'; img-src"
    expect(String(content), path).toContain(policy)
  }
})

test('an archive without messages has a search that finds nothing', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'empty' })
  const { list, entries } = await searched(ada, { scope: 'channel', channelId: channel.id })
  expect([list.pieces, list.conversations.length, entries]).toEqual([0, 1, []])
})

test('of a conversation that the reader was removed from meanwhile, nothing more is written, not even the name', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'secret', isPrivate: true })
  await ada.say(channel.id, 'quartz')
  const { db, people } = parley.app
  const [left] = await channelsFor(db, ada.id, { members: true, channelId: channel.id })
  const zip = createZip()
  const written = writeSearch({ db, zip, mayRead: async () => false, namesOf: (ids) => people.namesOf(ids) }, [
    { channel: left as ExportedChannel, title: '#secret', messages: 1, pageStarts: [1] },
  ]).then(() => zip.end())
  const files = await readZip(await buffer(zip.stream))
  await written
  expect(String(files.get('search/list.js'))).toContain(`"pieces":0,"conversations":[["${channel.id}",""]]`)
  for (const [path, content] of files) expect(String(content), path).not.toMatch(/quartz|#secret/)
})
