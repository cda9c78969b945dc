import { Readable } from 'node:stream'
import type { EmojiRecord, ImportRecord } from '../records.ts'
import type { SlackFiles } from './slack-files.ts'

const ALIAS = /^alias:(.+)$/
/** More are of no use to anybody. */
const MAX_ALIASES = 200
/** Pictures in a row that can't be read; then their host is away, and each would cost time. */
const MAX_UNREAD = 10

/** Adds the emoji of the workspace at Slack before an archive's channels. Their pictures are fetched when they are opened. */
export async function* withSlackEmoji(
  records: AsyncIterable<ImportRecord>,
  slack: SlackFiles,
): AsyncGenerator<ImportRecord> {
  let isAdded = false
  for await (const record of records) {
    if (record.kind === 'channel' && !isAdded) {
      isAdded = true
      yield* await listEmoji(slack)
    }
    yield record
  }
}

async function listEmoji(slack: SlackFiles): Promise<EmojiRecord[]> {
  const aliases = new Map<string, string[]>()
  const pictures: [name: string, url: string][] = []
  for (const [name, url] of await slack.listEmoji()) {
    const [, original] = ALIAS.exec(url) ?? []
    if (original === undefined) pictures.push([name, url])
    else {
      const names = aliases.get(original) ?? []
      if (names.length < MAX_ALIASES) aliases.set(original, [...names, name])
    }
  }
  let unread = 0
  return pictures.map(([key, url]) => ({
    ...{ kind: 'emoji', key, aliases: aliases.get(key) ?? [], authorKey: null, createdAt: null, size: null },
    async open() {
      const bytes = unread < MAX_UNREAD ? await slack.readEmoji(url) : Buffer.alloc(0)
      unread = bytes.length > 0 ? 0 : unread + 1
      return Readable.from([bytes])
    },
  }))
}
