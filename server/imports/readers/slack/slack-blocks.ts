import type { ContentPart } from '../../records.ts'
import { emojiNamed, emojiOfCodes } from '../common/emoji.ts'
import {
  codeBlock,
  escapeMarkdown,
  inlineCode,
  isText,
  joined,
  quoted,
  type Style,
  styled,
} from '../common/markdown.ts'
import {
  type Fields,
  fieldsOf,
  firstText,
  numberOf,
  objectsOf,
  sizeOf,
  textOf,
  timeOfSeconds,
} from '../common/values.ts'
import { slackLink, slackText } from './slack-text.ts'

/** A message's content: its blocks or text, followed by attachments of programs. */
export function slackContent(message: Fields): ContentPart[] {
  const blocks = objectsOf(message['blocks'])
    .map(block)
    .filter((parts) => parts.length > 0)
  const text = textOf(message['text'])
  const own = blocks.length > 0 ? apart(blocks) : slackText(text)
  return joined(apart([own, ...objectsOf(message['attachments']).map(attachment)].filter((parts) => parts.length > 0)))
}

/** Parts separated by blank lines. */
const apart = (all: ContentPart[][]): ContentPart[] =>
  all.flatMap((parts, index) => (index === 0 ? parts : [{ text: '\n\n' }, ...parts]))

function block(fields: Fields): ContentPart[] {
  switch (fields['type']) {
    case 'rich_text':
      return richText(fields)
    case 'header':
      return [{ text: styled(escapeMarkdown(textOf(fieldsOf(fields['text'])['text'])), { bold: true }) }]
    case 'section':
      return apart([fields['text'], ...objectsOf(fields['fields'])].map(textObject).filter((parts) => parts.length > 0))
    case 'context':
      return objectsOf(fields['elements']).flatMap((element, index) => [
        ...(index > 0 ? [{ text: ' ' }] : []),
        ...(element['type'] === 'image'
          ? [{ text: escapeMarkdown(textOf(element['alt_text'])) }]
          : textObject(element)),
      ])
    case 'image':
      return [slackLink(textOf(fields['image_url']), escapeMarkdown(firstText(fields['alt_text'], 'image'), false))]
    case 'markdown':
      return [{ text: textOf(fields['text']) }]
    case 'video':
      return [slackLink(textOf(fields['title_url']), escapeMarkdown(textOf(fieldsOf(fields['title'])['text']), false))]
    default:
      return []
  }
}

function textObject(value: unknown): ContentPart[] {
  const { type, text } = fieldsOf(value)
  return type === 'plain_text' ? [{ text: escapeMarkdown(textOf(text)) }] : slackText(textOf(text))
}

/** A program's attachment: its title, text and fields; the rest is redundant. Unfurled links are omitted. */
function attachment(fields: Fields): ContentPart[] {
  if (fields['is_msg_unfurl'] || fields['is_share'])
    return quoted(slackText(firstText(fields['text'], fields['fallback'])))
  if (fields['from_url'] || fields['is_app_unfurl']) return []
  const title = slackText(textOf(fields['title']))
  const link = textOf(fields['title_link'])
  const isPlainTitle = title.length === 1 && title.every(isText)
  const rows = [
    slackText(textOf(fields['pretext'])),
    link && isPlainTitle ? [slackLink(link, title.map((part) => part.text).join(''))] : title,
    ...objectsOf(fields['blocks']).map(block),
    slackText(textOf(fields['text'])),
    ...objectsOf(fields['fields']).map((field): ContentPart[] => [
      ...slackText(textOf(field['title'])),
      { text: ': ' },
      ...slackText(textOf(field['value'])),
    ]),
  ].filter((parts) => parts.length > 0)
  return rows.length > 0 ? apart(rows) : slackText(textOf(fields['fallback']))
}

function richText(fields: Fields): ContentPart[] {
  const parts: ContentPart[] = []
  let wasList = false
  for (const element of objectsOf(fields['elements'])) {
    const isList = element['type'] === 'rich_text_list'
    const isBlock = isList || element['type'] === 'rich_text_preformatted' || element['type'] === 'rich_text_quote'
    const last = parts.at(-1)
    const endsLine = !last || (isText(last) && last.text.endsWith('\n'))
    // A paragraph after a list or quote would continue it.
    if (isBlock && !endsLine) parts.push({ text: '\n' })
    if (wasList && !isList) parts.push({ text: '\n' })
    for (const part of richElement(element)) parts.push(part)
    if (isBlock) parts.push({ text: '\n' })
    wasList = isList || element['type'] === 'rich_text_quote'
  }
  return parts
}

function richElement(element: Fields): ContentPart[] {
  const elements = objectsOf(element['elements'])
  switch (element['type']) {
    case 'rich_text_list': {
      const indent = '    '.repeat(Math.min(Math.max(numberOf(element['indent']) || 0, 0), 8))
      const first = 1 + (sizeOf(numberOf(element['offset'])) ?? 0)
      return elements.flatMap((item, index): ContentPart[] => [
        { text: `${index > 0 ? '\n' : ''}${indent}${element['style'] === 'ordered' ? `${first + index}.` : '-'} ` },
        ...inlines(objectsOf(item['elements'])),
      ])
    }
    case 'rich_text_preformatted':
      return [
        {
          text: codeBlock(elements.map((it) => firstText(it['text'], it['url'])).join(''), textOf(element['language'])),
        },
      ]
    case 'rich_text_quote':
      return quoted(inlines(elements))
    default:
      return inlines(elements)
  }
}

function inlines(elements: Fields[]): ContentPart[] {
  const parts: ContentPart[] = []
  for (const element of elements) {
    const last = parts.at(-1)
    parts.push(...inline(element, !last || (isText(last) && last.text.endsWith('\n'))))
  }
  return parts
}

function inline(element: Fields, isLineStart: boolean): ContentPart[] {
  const style = fieldsOf(element['style']) as Style
  const text = textOf(element['text'])
  const plain = (words: string) => ({
    text: style.code ? inlineCode(words) : styled(escapeMarkdown(words, isLineStart), style),
  })
  switch (element['type']) {
    case 'text':
      return [plain(text)]
    case 'link':
      return [slackLink(textOf(element['url']), text && (plain(text).text as string))]
    case 'emoji': {
      const skin = numberOf(element['skin_tone'])
      const tone = skin > 0 ? `::skin-tone-${skin}` : ''
      const name = textOf(element['name'])
      return [{ text: emojiNamed(name + tone) ?? emojiOfCodes(textOf(element['unicode'])) ?? `:${name}:` }]
    }
    case 'user':
      return [{ person: textOf(element['user_id']) }]
    case 'channel':
      return [{ channel: textOf(element['channel_id']) }]
    case 'usergroup':
      return [{ text: '@group' }]
    case 'broadcast':
      return [{ broadcast: element['range'] === 'here' ? 'here' : 'channel' }]
    case 'date':
      return [plain(firstText(element['fallback'], timeOfSeconds(element['timestamp'])))]
    case 'color':
      return [plain(textOf(element['value']))]
    default:
      return text ? [plain(text)] : []
  }
}
