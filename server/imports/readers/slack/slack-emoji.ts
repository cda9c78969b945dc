import { foldEmojiName } from '#contract/emoji'
import { readSmallJson } from '../../archive/read-json.ts'
import { ImportProblem } from '../../import-problem.ts'
import type { EmojiRecord, ImportArchive } from '../../records.ts'
import { type Fields, fieldsOf, firstText, textOf, textsOf, timeOfSeconds } from '../common/values.ts'

/** Slack's export has no emoji. Tools that add them write `emojis/<name>.png`, and a list by name. */
const PICTURE = /^emojis?\/([^/]+)\.(?:png|gif|jpe?g|webp)$/i
const LISTS = ['index.json', 'emoji.json', 'emojis.json', 'emojis/index.json', 'emoji/index.json']

/** More are of no use to anybody. */
const MAX_ALIASES = 200

interface Listed {
  aliases: string[]
  authorKey: string | null
  createdAt: string | null
}

/** The emoji whose pictures are in the archive. */
export async function readSlackEmoji(archive: ImportArchive, root: string): Promise<Map<string, EmojiRecord>> {
  const emoji = new Map<string, EmojiRecord>()
  for (const { name, size } of archive.entries) {
    const key = foldEmojiName(PICTURE.exec(name.startsWith(root) ? name.slice(root.length) : '')?.[1] ?? '')
    if (key && !emoji.has(key))
      emoji.set(key, {
        ...{ kind: 'emoji', key, aliases: [], authorKey: null, createdAt: null },
        ...{ size, open: () => archive.open(name) },
      })
  }
  if (emoji.size === 0) return emoji
  const names = new Set(archive.entries.map(({ name }) => name))
  for (const list of LISTS.filter((name) => names.has(root + name)))
    for (const [name, facts] of await readList(archive, root + list)) {
      const found = emoji.get(name)
      if (found) emoji.set(name, { ...found, ...facts })
    }
  return emoji
}

/** Reads `{ name: url }`, in which an alias has 'alias:name' for a URL, or `{ name: { aliases, user_id, created } }`. */
async function readList(archive: ImportArchive, file: string): Promise<Map<string, Listed>> {
  const listed = new Map<string, Listed>()
  const factsOf = (name: string) => {
    const known = listed.get(name) ?? { aliases: [], authorKey: null, createdAt: null }
    listed.set(name, known)
    return known
  }
  for (const [name, value] of Object.entries(await readObject(archive, file))) {
    const [, original] = /^alias:(.+)$/.exec(textOf(value)) ?? []
    if (original) addAliases(factsOf(foldEmojiName(original)), [name])
    const fields = fieldsOf(value)
    const facts = factsOf(foldEmojiName(name))
    addAliases(facts, textsOf(fields['aliases']))
    facts.authorKey ??= firstText(fields['user_id']) || null
    facts.createdAt ??= timeOfSeconds(fields['created'])
  }
  return listed
}

function addAliases({ aliases }: Listed, names: string[]) {
  aliases.push(...names.slice(0, MAX_ALIASES - aliases.length).map(foldEmojiName))
}

/** The list, which Slack's API returns in a field. A damaged one is as good as none. */
async function readObject(archive: ImportArchive, file: string): Promise<Fields> {
  try {
    const list = fieldsOf(await readSmallJson(archive, file))
    return typeof list['emoji'] === 'object' && list['ok'] === true ? fieldsOf(list['emoji']) : list
  } catch (error) {
    if (!(error instanceof ImportProblem) || error.reason !== 'damaged') throw error
    return {}
  }
}
