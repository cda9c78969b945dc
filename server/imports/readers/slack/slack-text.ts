import type { ContentPart } from '../../records.ts'
import { withEmoji } from '../common/emoji.ts'
import { codeBlock, escapeMarkdown, inlineCode, linkTo, MAX_MARKUP_CHARACTERS, styled } from '../common/markdown.ts'
import { timeOfSeconds } from '../common/values.ts'

const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const CODE = /```([\s\S]*?)```|`([^`\n]+)`/g
const ANGLE = /<([^<>\n]+)>/g
/** Marks around words, but not within a word, link or mention (which match the first branch). */
const MARKED = /<[^<>\n]+>|(?<![\p{L}\p{N}*_~])([*_~])(?=\S)((?:<[^<>\n]+>|[^\n])*?\S)\1(?![\p{L}\p{N}*_~])/gu

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

type Marks = { bold?: boolean; italic?: boolean; strike?: boolean }

function inline(text: string, marks: Marks): ContentPart[] {
  const parts: ContentPart[] = []
  let from = 0
  for (const { 0: all, 1: mark, 2: inner = '', index } of text.matchAll(MARKED)) {
    if (mark === undefined) continue
    parts.push(...angles(text.slice(from, index), marks))
    const more = mark === '*' ? { bold: true } : mark === '_' ? { italic: true } : { strike: true }
    parts.push(...inline(inner, { ...marks, ...more }))
    from = index + all.length
  }
  return [...parts, ...angles(text.slice(from), marks)]
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
