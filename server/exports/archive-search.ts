import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withQuoteLabels } from '#contract/quotes'
import type { User } from '#contract/users'
import type { Db } from '../db/database.ts'
import { ROOT } from '../installation.ts'
import type { MessageRow } from '../messages/message-rows.ts'
import { PAGE_END, pageHead, SEARCH_PATH } from './archive-pages.ts'
import { type ExportedChannel, filesOf, pagesOf, repliesTo } from './export-rows.ts'
import type { Zip } from './zip.ts'

// A page that is opened from a disk can't read files, but it can load scripts. So the texts are scripts, in pieces, which
// `search.js` loads one after the other: however large the archive is, only a piece of it is in memory.

const SCRIPT = join(ROOT, 'server', 'exports', 'search.js')
/** A piece ends after the message that makes it this long. */
const PIECE_CHARACTERS = 512 * 1024

/** A conversation of the archive, with the `seq` of each page's first message. */
export interface Conversation {
  channel: ExportedChannel
  title: string
  messages: number
  pageStarts: number[]
}

interface Options {
  db: Db
  zip: Zip
  mayRead: (channel: ExportedChannel) => Promise<boolean>
  namesOf: (ids: string[]) => Promise<(id: string) => User>
}

/** The page of files without a message. */
const FILES_PAGE = 0

/** The number of a conversation and of its page, the message's id, its time, its author, its text. */
type Entry = [number, number, string, string, string, string]

/** Writes the page that searches the archive, with the texts of all its messages. */
export async function writeSearch(options: Options, conversations: Conversation[]) {
  const { zip } = options
  const entries = entriesOf(options, conversations)
  let pieces = 0
  for (let next = await entries.next(); !next.done; next = await entries.next()) {
    const first = next.value
    pieces++
    async function* piece() {
      let length = 0
      yield 'archive.read(['
      for (let entry = first; ; ) {
        const line = `${JSON.stringify(entry)},\n`
        yield line
        length += line.length
        if (length >= PIECE_CHARACTERS) break
        const next = await entries.next()
        if (next.done) break
        entry = next.value
      }
      yield '])\n'
    }
    await zip.addText(`search/${pieces}.js`, piece())
  }
  const list: [id: string, title: string][] = []
  for (const { channel, title } of conversations) list.push([channel.id, (await options.mayRead(channel)) ? title : ''])
  await zip.addText('search/list.js', [`archive.open(${JSON.stringify({ pieces, conversations: list })})\n`])
  await zip.addText('search/search.js', [await readFile(SCRIPT, 'utf8')])
  await zip.addText(SEARCH_PATH, [PAGE])
}

async function* entriesOf({ db, mayRead, namesOf }: Options, conversations: Conversation[]): AsyncGenerator<Entry> {
  for (const [number, { channel, pageStarts }] of conversations.entries()) {
    const isReadable = () => mayRead(channel)
    let page = 0
    const entry = async (row: MessageRow): Promise<Entry[]> => {
      const text = textOf(row)
      if (text === '') return []
      const userOf = await namesOf([row.userId])
      return [[number, page, row.id, row.createdAt, userOf(row.userId).name, text]]
    }
    for await (const rows of pagesOf(db, channel.id, channel.seq)) {
      if (!(await isReadable())) break
      for (const row of rows) {
        while (page < pageStarts.length && (pageStarts[page] as number) <= row.seq) page++
        yield* await entry(row)
        for await (const reply of repliesTo(db, row, isReadable)) yield* await entry(reply)
      }
    }
    for await (const { id, messageId, userId, createdAt, name } of filesOf(db, { channelId: channel.id }, isReadable))
      if (messageId === null)
        yield [number, FILES_PAGE, id, createdAt, (await namesOf([userId]))(userId).name, `📎 ${name}`]
  }
}

/** What is found: the text, and the names of files. */
function textOf({ content, deletedAt, files }: MessageRow) {
  if (deletedAt) return ''
  return [withQuoteLabels(content), ...files.map(({ name }) => `📎 ${name}`)].filter(Boolean).join('\n')
}

/** Only this page may run scripts, and only files of the archive. */
const POLICY = "default-src 'none'; style-src 'self' file:; script-src 'self' file:"

const PAGE = `${pageHead('Search', '', POLICY)}<header><p><a href="index.html">All conversations</a></p><h1>Search</h1></header>
<form class="search"><input type="search" name="q" aria-label="Words" placeholder="Search messages" autofocus autocomplete="off">
<select name="in" aria-label="Conversation"><option value="">All conversations</option></select>
<button>Search</button></form>
<p id="status" class="soft" role="status">To search, extract all files of the archive. It needs JavaScript.</p>
<ol id="results" class="results"></ol>
<script src="search/search.js"></script><script src="search/list.js"></script>
${PAGE_END}`
