import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fold } from '#contract/fold'
import { slowTries, times } from '#contract/test/properties'
import { findMessages } from '../../search/find-messages.ts'
import { indexOnce } from '../../search/indexing.ts'
import { parseSearch } from '../../search/parse-search.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

// Searches find the same as a scan of all messages, whether they scan the newest messages or use the index.

const WORDS = ['amber', 'basalt', 'cobalt', 'dune', 'ember', 'am', 'halt']
const MESSAGES = 240
/** Small, so that searches take every step. */
const SCAN = { first: 3, most: 40 }

const { app, people } = await startParley()

interface Written {
  id: string
  channelId: string
  userId: string
  content: string
  hasReaction: boolean
}

/** Everything that `me` may find, newest first. */
async function readAll(me: string): Promise<Written[]> {
  const { rows } = await sql<Written>`
    select m.id, m."channelId", m."userId", m.content, m.reactions <> '[]' as "hasReaction"
    from messages m join channels c on c.id = m."channelId"
    where m."deletedAt" is null and c."deletedAt" is null and (c.kind = 'public' or exists (
      select from memberships o where o."channelId" = c.id and o."userId" = ${me}
    )) order by m.id desc`.execute(app.db)
  return rows
}

/** Sends, edits, deletes, and reacts, and indexes in between, in rounds of any size. */
async function talk(ada: Person, eve: Person, channels: string[]) {
  let state = 7
  const random = (max: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * max)
  }
  const words = () => Array.from({ length: 1 + random(4) }, () => WORDS[random(WORDS.length)]).join(' ')
  const sent: { id: string; by: Person }[] = []
  for (let n = 0; n < MESSAGES; n++) {
    const by = random(3) === 0 ? eve : ada
    const { status, body } = await by.post('/api/messages', {
      channelId: channels[random(channels.length)],
      content: words(),
    })
    if (status === 201) sent.push({ id: body.id, by })
    const chosen = sent[random(sent.length)]
    if (chosen && n % 9 === 0) await chosen.by.put(`/api/messages/${chosen.id}`, { content: words() })
    if (chosen && n % 17 === 0) await chosen.by.delete(`/api/messages/${chosen.id}`)
    if (chosen && n % 5 === 0) await chosen.by.post(`/api/messages/${chosen.id}/reactions`, { emoji: '👍' })
    if (random(12) === 0) await indexOnce(app.db, { worthwhile: 1 })
  }
}

const query = fc.record({
  words: fc.array(fc.constantFrom(...WORDS, 'amber basalt', '"dune ember"', '"halt am"', 'missing'), { maxLength: 2 }),
  from: fc.constantFrom('', 'from:ada', 'from:eve'),
  channel: fc.constantFrom('', 'in:open', 'in:shared', 'in:closed'),
  has: fc.constantFrom('', '', 'has:reaction'),
  limit: fc.integer({ min: 1, max: 12 }),
})

test('a search finds the same as a scan of all messages, page by page', { timeout: times(120_000) }, async () => {
  const { ada, eve } = await people('ada', 'eve')
  const create = async (by: Person, name: string, isPrivate: boolean) =>
    (await by.post('/api/channels', { name, isPrivate })).body.id as string
  const open = await create(ada, 'open', false)
  const shared = await create(ada, 'shared', true)
  const closed = await create(ada, 'closed', true)
  await eve.post(`/api/channels/${open}/join`, {})
  const invite = () => ada.post(`/api/channels/${shared}/invite`, { userId: eve.id })
  await invite()
  await talk(ada, eve, [open, shared, closed])
  const channels: Record<string, string> = { 'in:open': open, 'in:shared': shared, 'in:closed': closed }
  const authors: Record<string, string> = { 'from:ada': ada.id, 'from:eve': eve.id }

  const check = async (
    me: Person,
    { words, from, channel, has, limit }: typeof query extends fc.Arbitrary<infer T> ? T : never,
  ) => {
    const q = [...words, from, channel, has].filter(Boolean).join(' ')
    const readable = await readAll(me.id)
    // The filter for a channel that one may not read is ordinary text.
    const isKnown = channel === '' || channel === 'in:open' || readable.some((it) => it.channelId === channels[channel])
    const terms = [
      ...words.flatMap((it) => (it.startsWith('"') ? it.slice(1, -1) : it.split(' '))),
      ...(isKnown ? [] : [channel]),
    ]
    const expected = readable.filter(
      (it) =>
        terms.every((term) => fold(it.content).includes(fold(term))) &&
        (from === '' || it.userId === authors[from]) &&
        (channel === '' || !isKnown || it.channelId === channels[channel]) &&
        (has === '' || it.hasReaction),
    )
    const found: string[] = []
    for (let cursor: string | undefined; ; cursor = found.at(-1)) {
      const parsed = await parseSearch(app.db, me.id, { q, limit, cursor })
      const page = parsed ? await findMessages(app.searchDatabases, parsed, SCAN) : []
      found.push(...page.map(({ id }) => id))
      if (page.length < limit) break
    }
    expect(found, q).toEqual(q === '' ? [] : expected.map(({ id }) => id))
  }

  await fc.assert(
    fc.asyncProperty(query, fc.boolean(), async (asked, isMember) => {
      if (isMember) await invite()
      else await ada.post(`/api/channels/${shared}/remove-member`, { userId: eve.id })
      await check(eve, asked)
      await check(ada, asked)
    }),
    slowTries(30),
  )
})
