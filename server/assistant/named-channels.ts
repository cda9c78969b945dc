import { sql } from 'kysely'
import { readableChannels } from '../access/readable-channels.ts'
import type { Services } from '../services.ts'
import type { SearchScope } from './search-tool.ts'

interface Named {
  /** The ids of the channels that the question names. */
  channels: string[]
  /** The question with `CHANNEL` in place of each name. */
  rest: string
}

/** Stands for a channel's name. */
export const CHANNEL = '\ufffc'
const MAX_CHANNELS = 100

/** Letters that are written without a space before the next word, such as a particle after a name. */
const UNSPACED = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Hangul}'
const BEFORE = `(?<=^|[\\s\\p{Ps}\\p{Pi}"'¿${UNSPACED}])`
/** The end of the name; the rest of a compound or a genitive belongs to it, as in '#lunch-Kanal' and "#lunch's". */
const AFTER = `(?![_[[\\p{L}\\p{M}\\p{N}]--[${UNSPACED}]]])(?:-[\\p{L}\\p{M}\\p{N}]+|['’]s(?![\\p{L}\\p{N}]))?`

/**
 * The channels that a question names, such as #design, among those whose messages may appear in the answer. Any others are
 * treated like names that don't exist.
 */
export async function readNamedChannels({ db }: Services, scope: SearchScope, question: string): Promise<Named> {
  if (!question.includes('#')) return { channels: [], rest: question }
  const { rows } = await sql<{ id: string; name: string }>`
    select c.id, c.name
    from channels c join (${readableChannels(scope.askedBy, null, scope.sharedWith)}) readable on readable.id = c.id
    where c.kind <> 'direct' and strpos(lower(${question}::text), '#' || lower(c.name)) > 0
    order by length(c.name) desc limit ${MAX_CHANNELS}`.execute(db)
  if (rows.length === 0) return { channels: [], rest: question }
  // The longest first: #design-team doesn't name #design.
  const names = rows.map(({ name }) => `(${name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')})`).join('|')
  const pattern = new RegExp(`https?://\\S+|${BEFORE}#(?:${names})${AFTER}`, 'giv')
  const channels = new Set<string>()
  const rest = question.replace(pattern, (match, ...groups: (string | undefined)[]) => {
    const named = rows.find((_, nth) => groups[nth] !== undefined)
    // The fragment of an address.
    if (!named) return match
    channels.add(named.id)
    return ` ${CHANNEL} `
  })
  return { channels: [...channels], rest }
}
