import type { ContentPart } from '../../records.ts'
import { withEmoji } from '../common/emoji.ts'
import { zulipNames } from '../common/emoji-names/zulip-names.ts'
import { escapeMarkdown, MAX_MARKUP_CHARACTERS } from '../common/markdown.ts'
import { replaceParts } from '../common/mentions.ts'

/** Keys by the names used in texts. */
export interface Named {
  people: Map<string, string>
  channels: Map<string, string>
  channelKeys: Set<string>
}

/** Precedes the first message of a topic. */
export const topicLine = (topic: string) => `**${escapeMarkdown(topic)}**\n\n`

const UPLOAD = /!?\[[^\]\n]{0,500}\]\(\/?(?:https?:\/\/[^/\s)]+)?\/?user_uploads\/([^)\s]{1,1000})\)/g

/** Removes links to the message's own files. */
export const withoutUploads = (text: string, paths: ReadonlySet<string>) =>
  text.length > MAX_MARKUP_CHARACTERS
    ? text
    : text.replace(UPLOAD, (link, path: string) => (paths.has(path) ? '' : link)).trim()

/** @**Name** or @_**Name|12**; @*group*; #**channel>topic@12**; <time:2024-…> */
const NAMED = /@_?\*\*([^*\n]+)\*\*|@_?\*([^*\n]+)\*|#\*\*([^*\n]+)\*\*|<time:([^>\n]{1,100})>|(?<![\w:]):[a-z0-9_+-]+:/
/** [label](https://chat.example/#narrow/channel/5-general/topic/lunch/near/12), which quotes contain; the server may be omitted. */
const LINK =
  /(?<!!)\[(?<label>[^[\]\n]{1,500})\]\((?<server>https?:\/\/[^/\s()]{1,255})?\/?#narrow\/(?<place>[^\s()]{1,1000}?)\/near\/(?<id>\d{1,20})\/?\)/
/** The same address without a label. */
const ADDRESS =
  /(?<![\w(<[/])https?:\/\/[^/\s()<>]{1,255}\/#narrow\/(?<where>[^\s()<>]{1,1000}?)\/near\/(?<message>\d{1,20})(?![\w/%-])/
const MARK = new RegExp([NAMED, LINK, ADDRESS].map(({ source }) => source).join('|'), 'g')

/** What a topic of a channel became: the message it begins with, or a channel. Undefined if it has no messages. */
export type LinkToTopic = (channelKey: string, topic: string) => { message: string } | { channel: string } | undefined

/** Converts Zulip's Markdown, which fences quotes and spoilers, and writes people and channels in bold. */
export function zulipContent(text: string, named: Named, linkToTopic: LinkToTopic = () => undefined): ContentPart[] {
  return replaceParts(withoutFences(text), MARK, ({ 0: all, 1: person, 2: group, 3: channel, 4: time, groups }) => {
    if (groups?.['id'] || groups?.['message']) return linkPart(all, groups, named)
    if (/^(all|everyone|channel|stream|topic)$/.test(person ?? '')) return { broadcast: 'channel' }
    if (person !== undefined) {
      const key = named.people.get(person) ?? named.people.get(person.replace(/\|\d+$/, ''))
      return key ? { person: key } : { text: escapeMarkdown(`@${person.replace(/\|\d+$/, '')}`, false) }
    }
    if (group !== undefined) return { text: escapeMarkdown(`@${group}`, false) }
    if (channel !== undefined) return channelPart(channel, named, linkToTopic)
    if (time !== undefined) return { text: time }
    return { text: withEmoji(all, zulipNames) }
  })
}

/** A link to a message. Without a server, its address leads nowhere if the message is missing. */
function linkPart(all: string, groups: Record<string, string | undefined>, named: Named): ContentPart | undefined {
  const { label = '', server, place, id, where, message = '' } = groups
  if (!isKnown(place ?? where ?? '', named)) return undefined
  return id ? { message: id, text: server ? all : label, label } : { message, text: all }
}

/** Message ids count from one on each server: a channel that isn't in the archive is one of another server. */
function isKnown(place: string, named: Named) {
  const [, channel] = /^(?:channel|stream)\/(\d+)(?:-|\/|$)/.exec(place) ?? []
  return channel === undefined || named.channelKeys.has(`stream ${channel}`)
}

function channelPart(written: string, named: Named, linkToTopic: LinkToTopic): ContentPart {
  const [name = '', topic = ''] = written.split(/>(.*)/)
  const key = named.channels.get(name)
  const message = /@(\d+)$/.exec(topic)?.[1]
  const text = escapeMarkdown(`#${written}`, false)
  if (message) return { message, text }
  if (key && topic) {
    const target = linkToTopic(key, topic)
    if (!target) return { text }
    if ('channel' in target) return { ...target, name: written }
    return { ...target, text, label: escapeMarkdown(`#${name} > ${topic}`, false) }
  }
  return key ? { channel: key, name } : { text }
}

const MAX_QUOTES = 8

/** Converts fenced quotes to quotes, and replaces fenced spoilers and formulas by their contents. */
function withoutFences(text: string): string {
  if (text.length > MAX_MARKUP_CHARACTERS) return text
  const lines: string[] = []
  const fences: { mark: string; kind: string }[] = []
  let quotes = 0
  for (const line of text.split('\n')) {
    const [, mark = '', kind = ''] = /^\s*(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? []
    const open = fences.at(-1)
    const inCode = open !== undefined && open.kind !== 'quote' && open.kind !== 'spoiler'
    const closes = open !== undefined && mark.startsWith(open.mark) && kind === ''
    const isWrapper = kind === 'quote' || kind === 'spoiler'
    const prefix = '> '.repeat(Math.min(quotes, MAX_QUOTES))
    if (closes) {
      fences.pop()
      if (inCode) lines.push(prefix + line)
      else if (open.kind === 'quote') {
        quotes--
        lines.push(prefix.slice(2))
      }
    } else if (mark && !inCode) {
      fences.push({ mark, kind })
      if (!isWrapper) lines.push(prefix + line)
      else if (kind === 'quote') quotes++
      else lines.push(prefix + line.replace(/^\s*[`~]{3,}\s*spoiler\s*/, ''))
    } else lines.push(prefix + line)
  }
  return lines.join('\n').trimEnd()
}
