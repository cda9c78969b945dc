import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '#contract/fold'
import type { SearchResult } from '#contract/search'
import { readQuery } from '#contract/search-query'
import { times, tries } from '#contract/test/properties'
import { indexOnce } from '../../search/indexing.ts'
import { startParley } from '../../test/support/parley.ts'

// Every substring of every message is found by its readers, and by nobody else.

const alphabets = [
  'abc XYZ',
  'äéñøßœ',
  'Жйё',
  '東京にがラｰ',
  '한국어',
  'กำสั',
  'हिन्दी',
  'مرحبا',
  '👍🏽👩‍🚀❤️🇩🇪',
  '.,:;-_/\\%&|!*()[]{}"\'`~^$#@<>?=+0123456789',
]
const grapheme = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ...alphabets.map((alphabet) => fc.constantFrom(...graphemesOf(alphabet))),
)
const message = fc
  .array(fc.oneof({ weight: 8, arbitrary: grapheme }, { weight: 2, arbitrary: fc.constantFrom(' ', '\n', '  ') }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((graphemes) => graphemes.join('').replaceAll('\0', '').toWellFormed().trim())
  .filter((text) => text !== '')

function graphemesOf(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
}

test('any substring of any message is found by its readers and nobody else', { timeout: times(120_000) }, async () => {
  const { app, person } = await startParley()
  const [ada, eve] = [await person('ada'), await person('eve')]
  const { body: channel } = await ada.post('/api/channels', { name: 'anything', isPrivate: true })
  let n = 0
  await fc.assert(
    fc.asyncProperty(message, fc.nat(), fc.nat(), async (content, from, length) => {
      const { status, body } = await ada.post('/api/messages', { channelId: channel.id, content })
      expect(status).toBe(201)
      if (n++ % 3 === 0) await indexOnce(app.db, { worthwhile: 1 })
      const graphemes = graphemesOf(body.content)
      const start = from % graphemes.length
      const piece = graphemes.slice(start, start + 1 + (length % (graphemes.length - start))).join('')
      // Invisible characters cannot be searched for, and filters are not text.
      if (readQuery(piece).terms.every((term) => fold(term).trim() === '')) return
      const params = new URLSearchParams({ q: piece, limit: '50' })
      const found = await ada.get(`/api/search?${params}`)
      const ids = (found.body as SearchResult[]).map(({ id }) => id)
      // Fifty newer messages may contain such a short substring; this one is the newest.
      expect(ids, JSON.stringify([content, piece])).toContain(body.id)
      expect((await eve.get(`/api/search?${params}`)).body).toEqual([])
    }),
    tries(75),
  )
})
