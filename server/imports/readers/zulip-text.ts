import type { ContentPart } from '../records.ts'
import { withEmoji } from './common/emoji.ts'
import { escapeMarkdown, MAX_MARKUP_CHARACTERS } from './common/markdown.ts'
import { replaceParts } from './common/mentions.ts'

/** Keys by the names used in texts. */
export interface Named {
  people: Map<string, string>
  channels: Map<string, string>
}

/** Precedes the first message of a topic. */
export const topicLine = (topic: string) => `**${escapeMarkdown(topic)}**\n\n`

const UPLOAD = /!?\[[^\]\n]*\]\(\/?(?:https?:\/\/[^/\s)]+)?\/?user_uploads\/([^)\s]+)\)/g

/** Removes links to the message's own files. */
export const withoutUploads = (text: string, paths: ReadonlySet<string>) =>
  text.length > MAX_MARKUP_CHARACTERS
    ? text
    : text.replace(UPLOAD, (link, path: string) => (paths.has(path) ? '' : link)).trim()

/** @**Name** or @_**Name|12**; @*group*; #**channel>topic@12**; <time:2024-…> */
const MARK = /@_?\*\*([^*\n]+)\*\*|@_?\*([^*\n]+)\*|#\*\*([^*\n]+)\*\*|<time:([^>\n]+)>|(?<![\w:]):[a-z0-9_+-]+:/g

/** Converts Zulip's Markdown, which fences quotes and spoilers, and writes people and channels in bold. */
export function zulipContent(text: string, named: Named): ContentPart[] {
  return replaceParts(withoutFences(text), MARK, ([all, person, group, channel, time]) => {
    if (/^(all|everyone|channel|stream|topic)$/.test(person ?? '')) return { broadcast: 'channel' }
    if (person !== undefined) {
      const key = named.people.get(person) ?? named.people.get(person.replace(/\|\d+$/, ''))
      return key ? { person: key } : { text: escapeMarkdown(`@${person.replace(/\|\d+$/, '')}`, false) }
    }
    if (group !== undefined) return { text: escapeMarkdown(`@${group}`, false) }
    if (channel !== undefined) return { ...channelPart(channel, named) }
    if (time !== undefined) return { text: time }
    return { text: withEmoji(all) }
  })
}

function channelPart(written: string, named: Named): ContentPart {
  const [name = '', topic = ''] = written.split(/>(.*)/)
  const key = named.channels.get(name)
  const message = /@(\d+)$/.exec(topic)?.[1]
  if (message) return { message, text: escapeMarkdown(`#${written}`, false) }
  return key && !topic ? { channel: key, name } : { text: escapeMarkdown(`#${written}`, false) }
}

const MAX_QUOTES = 8

/** Converts fenced quotes to quotes, and replaces fenced spoilers and formulas by their contents. */
function withoutFences(text: string): string {
  if (text.length > MAX_MARKUP_CHARACTERS) return text
  const lines: string[] = []
  const fences: { mark: string; kind: string }[] = []
  for (const line of text.split('\n')) {
    const [, mark = '', kind = ''] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? []
    const open = fences.at(-1)
    const inCode = open !== undefined && open.kind !== 'quote' && open.kind !== 'spoiler'
    const closes = open !== undefined && mark.startsWith(open.mark) && kind === ''
    const isWrapper = kind === 'quote' || kind === 'spoiler'
    const prefix = '> '.repeat(Math.min(fences.filter((it) => it.kind === 'quote').length, MAX_QUOTES))
    if (closes) {
      fences.pop()
      if (inCode) lines.push(prefix + line)
      else if (open.kind === 'quote') lines.push(prefix.slice(2))
    } else if (mark && !inCode) {
      fences.push({ mark, kind })
      if (!isWrapper) lines.push(prefix + line)
      else if (kind === 'spoiler') lines.push(prefix + line.replace(/^\s*[`~]{3,}\s*spoiler\s*/, ''))
    } else lines.push(prefix + line)
  }
  return lines.join('\n').trimEnd()
}
