import { limits } from '#contract/limits'
import type { ContentPart, MessageRecord, OmissionReport } from '../../records.ts'
import { asAnyEmoji } from './emoji.ts'
import { isText, joined } from './markdown.ts'
import { entryOf } from './values.ts'

/** The length of a name or link that the loader inserts; a safe estimate. */
const NAME_CHARACTERS = 120
/** Leaves a margin for longer names, and for the fences of code. */
const CONTENT_CHARACTERS = limits.messageContent - 500

/**
 * Enforces limits: longer texts and additional files continue in further messages of the same person and time, so nothing is
 * lost. Excess reactions are dropped.
 */
export function limited(message: MessageRecord, report: OmissionReport): MessageRecord[] {
  const contents = splitContent(joined(message.content))
  if (contents.length > 1) report.add('tooLongMessage', message.key)
  const reactions = validReactions(message.reactions)
  if (reactions.length > limits.reactions) report.add('tooManyReactions', message.key)
  const count = Math.max(contents.length, Math.ceil(message.files.length / limits.attachments), 1)
  const { earlier, pin, ...rest } = message
  return Array.from({ length: count }, (_, index) => ({
    ...rest,
    ...(index === 0 && earlier && { earlier }),
    ...(index === 0 && pin && { pin }),
    key: index === 0 ? message.key : `${message.key}+${index}`,
    content: contents[index] ?? [],
    reactions: index === 0 ? reactions.slice(0, limits.reactions) : [],
    files: message.files.slice(index * limits.attachments, (index + 1) * limits.attachments),
  }))
}

/** Archives may contain anything: keeps only valid emoji, each once, and each person once per emoji. */
function validReactions(reactions: MessageRecord['reactions']): MessageRecord['reactions'] {
  const byEmoji = new Map<string, Set<string>>()
  for (const { emoji: written, personKeys } of reactions) {
    const emoji = asAnyEmoji(written)
    if (!emoji) continue
    const keys = entryOf(byEmoji, emoji, () => new Set())
    for (const key of personKeys) if (key) keys.add(key)
  }
  return [...byEmoji].filter(([, keys]) => keys.size > 0).map(([emoji, keys]) => ({ emoji, personKeys: [...keys] }))
}

function splitContent(parts: ContentPart[]): ContentPart[][] {
  const length = parts.reduce((sum, part) => sum + (isText(part) ? part.text.length : NAME_CHARACTERS), 0)
  if (length <= limits.messageContent) return parts.length > 0 ? [parts] : []
  const contents: ContentPart[][] = [[]]
  let used = 0
  const next = () => {
    contents.push([])
    used = 0
  }
  for (const part of parts) {
    if (!isText(part)) {
      if (used + NAME_CHARACTERS > CONTENT_CHARACTERS) next()
      contents.at(-1)?.push(part)
      used += NAME_CHARACTERS
      continue
    }
    let rest = part.text
    while (used + rest.length > CONTENT_CHARACTERS) {
      const end = cutAt(rest, CONTENT_CHARACTERS - used)
      const fence = openFence(rest.slice(0, end))
      contents.at(-1)?.push({ text: rest.slice(0, end) + (fence && `\n${fence.mark}`) })
      rest = (fence && `${fence.line}\n`) + rest.slice(end)
      next()
    }
    if (rest) contents.at(-1)?.push({ text: rest })
    used += rest.length
  }
  return contents.filter((content) => content.length > 0)
}

/** Where to cut a text of more than `most` characters: after a line if possible, else after a word. */
function cutAt(text: string, most: number): number {
  for (const separator of ['\n', ' ']) {
    const end = text.lastIndexOf(separator, most - 1) + 1
    if (end > most / 2) return end
  }
  return /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most
}

/** The code block that is open at the end of a text. */
function openFence(text: string) {
  let open: { mark: string; line: string } | undefined
  for (const [line, mark = ''] of text.matchAll(/^(`{3,100})(?!`).*$/gm)) {
    if (!open) open = { mark, line: line.slice(0, 40) }
    else if (mark.length >= open.mark.length) open = undefined
  }
  return open ?? ''
}
