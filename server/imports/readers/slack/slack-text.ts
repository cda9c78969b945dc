import type { ContentPart } from '../../records.ts'
import { withEmoji } from '../common/emoji.ts'
import { codeBlock, escapeMarkdown, inlineCode, linkTo, MAX_MARKUP_CHARACTERS, styled } from '../common/markdown.ts'
import { timeOfSeconds } from '../common/values.ts'

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const CODE = /```([\s\S]*?)```|`([^`\n]+)`/g
const ANGLE = /<([^<>\n]+)>/g
/** Links, mentions, and names of emoji: marks inside them are not marks. */
const UNMARKED = /<[^<>\n]+>|(?<![a-z0-9:]):(?=[_+'-]*[a-z0-9])[a-z0-9_+'-]+(?:::skin-tone-[2-6])?:/gi
/** Marks are around words, not within one. */
const OPENING = /(?<![\p{L}\p{N}*_~])[*_~](?=\S)/gu
const CLOSING = /(?<=\S)[*_~](?![\p{L}\p{N}*_~])/gu
const STYLES = { '*': 'bold', _: 'italic', '~': 'strike' } as const

/** Slack's markup ("mrkdwn") as Markdown. */
export function slackText(text: string): ContentPart[] {
  if (text.length > MAX_MARKUP_CHARACTERS) return [{ text: escapeMarkdown(unescaped(text)) }]
  const parts: ContentPart[] = []
  let from = 0
  for (const match of text.matchAll(CODE)) {
    parts.push(...withoutCode(text.slice(from, match.index)))
    const [all, block, code = ''] = match
    const source = plainOf(block ?? code)
    const before = text.slice(0, match.index)
    parts.push({
      text:
        block === undefined
          ? inlineCode(source)
          : `${before === '' || before.endsWith('\n') ? '' : '\n'}${codeBlock(source.replace(/^\n/, ''))}\n`,
    })
    from = match.index + all.length
  }
  return [...parts, ...withoutCode(text.slice(from))]
}

/** Links and mentions inside code are shown as typed. */
const plainOf = (text: string) =>
  unescaped(
    text.replace(ANGLE, (_, inner: string) => (/^[@#!]/.test(inner) ? `<${inner}>` : inner.replace(/^[^|]*\|/, ''))),
  )

function withoutCode(text: string): ContentPart[] {
  const parts: ContentPart[] = []
  // Quotes appear as '&gt;' at the start of a line.
  const lines = text.replace(/^(?:&gt;){3} ?([\s\S]*)/gm, (_, rest: string) => rest.replace(/^/gm, '&gt; '))
  for (const [index, line] of lines.split('\n').entries()) {
    if (index > 0) parts.push({ text: '\n' })
    const quote = /^&gt; ?/.exec(line)?.[0] ?? ''
    if (quote) parts.push({ text: '> ' })
    parts.push(...inline(line.slice(quote.length), {}))
  }
  return parts
}

type Mark = keyof typeof STYLES
type Marks = { bold?: boolean; italic?: boolean; strike?: boolean }

/** The text of one line. */
function inline(text: string, marks: Marks): ContentPart[] {
  const parts: ContentPart[] = []
  let from = 0
  for (const { mark, start, end } of markedIn(text, marks)) {
    parts.push(...angles(text.slice(from, start), marks))
    // Repeated marks are one.
    let repeated = 1
    while (end - start - 2 * repeated > 2 && text[start + repeated] === mark && text[end - repeated - 1] === mark)
      repeated++
    parts.push(...inline(text.slice(start + repeated, end - repeated), { ...marks, [STYLES[mark]]: true }))
    from = end
  }
  return [...parts, ...angles(text.slice(from), marks)]
}

/** The outermost marked pieces, each up to the first mark that closes it. Goes through the text once, whatever it contains. */
function* markedIn(text: string, marks: Marks): Generator<{ mark: Mark; start: number; end: number }> {
  const visible = text.replace(UNMARKED, (all) => '<'.repeat(all.length))
  const closing = { '*': [] as number[], _: [] as number[], '~': [] as number[] }
  for (const { 0: mark, index } of visible.matchAll(CLOSING)) closing[mark as Mark].push(index)
  const next = { '*': 0, _: 0, '~': 0 }
  let from = 0
  for (const { 0: found, index: start } of visible.matchAll(OPENING)) {
    const mark = found as Mark
    if (start < from || marks[STYLES[mark]]) continue
    while ((closing[mark][next[mark]] ?? Number.POSITIVE_INFINITY) < start + 2) next[mark]++
    const close = closing[mark][next[mark]]
    if (close === undefined) continue
    from = close + 1
    yield { mark, start, end: from }
  }
}

function angles(text: string, marks: Marks): ContentPart[] {
  const parts: ContentPart[] = []
  let from = 0
  const plain = (piece: string) => {
    if (piece) parts.push({ text: styled(escapeMarkdown(withEmoji(unescaped(piece))), marks) })
  }
  for (const { 0: all, 1: inner = '', index } of text.matchAll(ANGLE)) {
    plain(text.slice(from, index))
    parts.push(angle(inner, marks))
    from = index + all.length
  }
  plain(text.slice(from))
  return parts
}

function angle(inner: string, marks: Marks): ContentPart {
  const [target = '', ...rest] = inner.split('|')
  const label = unescaped(rest.join('|'))
  const shown = (text: string) => ({ text: styled(escapeMarkdown(text, false), marks) })
  if (/^@[UWB][A-Z0-9]+$/.test(target)) return { person: target.slice(1) }
  if (/^#[CGD][A-Z0-9]+$/.test(target)) return { channel: target.slice(1) }
  if (target === '!here') return { broadcast: 'here' }
  if (/^!(channel|everyone|group)$/.test(target)) return { broadcast: 'channel' }
  if (target.startsWith('!subteam^')) return shown(label || '@group')
  if (target.startsWith('!date^')) return shown(label || (timeOfSeconds(target.split('^')[1]) ?? target))
  if (target.startsWith('!') || target.startsWith('@') || target.startsWith('#')) return shown(label || target)
  return slackLink(unescaped(target), label && styled(escapeMarkdown(withEmoji(label), false), marks))
}

/** A link to a message: the channel, the message, and a reply's thread. */
const PERMALINK = /^https:\/\/[\w-]+(?:\.enterprise)?\.slack\.com\/archives\/([A-Z0-9]+)\/p(\d{10})(\d{6})/

/** @param markdown the link's text */
export function slackLink(url: string, markdown: string): ContentPart {
  const [, channel, seconds, fraction] = PERMALINK.exec(url) ?? []
  const message = `${channel}:${seconds}.${fraction}`
  if (channel) return markdown ? { message, text: linkTo(url, markdown), label: markdown } : { message, text: url }
  if (/^mailto:/i.test(url) && url.slice(7) === markdown) return { text: markdown }
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return { text: markdown || escapeMarkdown(url, false) }
  return { text: markdown && markdown !== url ? linkTo(url, markdown) : url }
}
