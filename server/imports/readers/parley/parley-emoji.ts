import { EmojiName } from '#contract/emoji'
import { limits } from '#contract/limits'
import type { ImportRecord } from '../../records.ts'
import { firstText, textOf, textsOf, timeOfText } from '../common/values.ts'
import type { Reading } from './parley-reading.ts'

const FILE = 'data/emoji.jsonl'
const FOLDER = 'emoji/'

/** The emoji of the workspace. Older exports have none. */
export async function* readEmoji({
  archive,
  root,
  names,
  people,
  report,
  lines,
}: Reading): AsyncGenerator<ImportRecord> {
  if (!names.has(root + FILE)) return
  const pictures = new Map(
    archive.entries.filter(({ name }) => name.startsWith(root + FOLDER)).map(({ name, size }) => [name, size]),
  )
  const taken = new Set<string>()
  for await (const line of lines(FILE)) {
    const [key] = validNames([line['name']])
    if (key === undefined || taken.has(key)) {
      report.add('refusedEmoji', textOf(line['name']))
      continue
    }
    const path = root + textOf(line['path'])
    const size = pictures.get(path)
    if (size === undefined) {
      report.add('missingFile', `:${key}:`)
      continue
    }
    taken.add(key)
    const aliases = validNames(line['aliases'])
      .filter((name) => !taken.has(name))
      .slice(0, limits.emoji.aliases)
    for (const name of aliases) taken.add(name)
    const authorKey = firstText(line['createdBy']) || null
    if (authorKey !== null) yield* people.stranger(authorKey)
    const createdAt = timeOfText(line['createdAt'])
    yield { kind: 'emoji', key, aliases, authorKey, createdAt, size, open: () => archive.open(path) }
  }
}

const validNames = (list: unknown) => [
  ...new Set(
    textsOf(list).flatMap((text) => {
      const { success, data } = EmojiName.safeParse(text)
      return success ? [data] : []
    }),
  ),
]
