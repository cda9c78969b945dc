import { CUSTOM_EMOJI, customName, foldEmojiName } from '#contract/emoji'
import type { EmojiPaths } from './export-emoji.ts'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string)
/** An archive path as a URL relative to a page of a channel. */
export const urlOf = (path: string) => `../../${escapeHtml(path.split('/').map(encodeURIComponent).join('/'))}`

const FENCE = /^```.*$/m

/** A message as HTML: code blocks, and otherwise text with links and emoji. */
export const contentHtml = (content: string, emoji: EmojiPaths) =>
  content
    .split(FENCE)
    .map((part, index) => {
      const text = part.replace(/^\n|\n$/g, '')
      if (text === '') return ''
      return index % 2 ? `<pre>${escapeHtml(text)}</pre>` : `<p class="text">${textHtml(text, emoji)}</p>`
    })
    .join('')

/** URLs, and code within a line. Neither contains emoji. */
const URLS_AND_CODE = /https?:\/\/[^\s<>"']+|(?<!`)(``?)(?!`)[^\n]*?(?<!`)\1(?!`)/g

/** Text as HTML with links and emoji; everything else is escaped. */
export function textHtml(text: string, emoji: EmojiPaths) {
  let html = ''
  let end = 0
  for (const { 0: found, index } of text.matchAll(URLS_AND_CODE)) {
    const escaped = escapeHtml(found)
    html += withEmoji(text.slice(end, index), emoji)
    html += found.startsWith('`') ? escaped : `<a href="${escaped}" rel="noreferrer">${escaped}</a>`
    end = index + found.length
  }
  return html + withEmoji(text.slice(end), emoji)
}

/** Text as HTML in which emoji of the workspace are pictures. */
function withEmoji(text: string, emoji: EmojiPaths) {
  if (emoji.size === 0) return escapeHtml(text)
  let html = ''
  let end = 0
  let lastEnd = 0
  for (const { 0: sign, 1: name = '', index } of text.matchAll(CUSTOM_EMOJI)) {
    const path = emoji.get(foldEmojiName(name))
    // Not in 'std::ship::sail', but right after another emoji.
    const isInside = text[index - 1] === ':' && index !== lastEnd
    if (isInside) continue
    lastEnd = index + sign.length
    if (path === undefined) continue
    html += escapeHtml(text.slice(end, index)) + pictureHtml(sign, path)
    end = lastEnd
  }
  return html + escapeHtml(text.slice(end))
}

/** An emoji of a reaction. */
export function emojiHtml(sign: string, emoji: EmojiPaths) {
  const path = emoji.get(customName(sign) ?? '')
  return path === undefined ? escapeHtml(sign) : pictureHtml(sign, path)
}

function pictureHtml(sign: string, path: string) {
  const name = escapeHtml(sign)
  return `<img class="emoji" src="${urlOf(path)}" alt="${name}" title="${name}">`
}
