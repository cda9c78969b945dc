export interface SharedText {
  title: string
  text: string
  url: string
}

/**
 * One text from what an app shared: the title, the text and the link, a line each, without repetitions. Apps of Android put a link
 * into the text as often as into `url`, and the title often repeats the text.
 */
export function composeText(shared: SharedText): string {
  const [title, text, url] = [shared.title, shared.text, shared.url].map(cleaned)
  const lines = [text, url && !hasLink(text, url) ? url : ''].filter(Boolean)
  return title && !saysTitle(lines.join('\n'), title) ? [title, ...lines].join('\n') : lines.join('\n')
}

/** Forms end lines with CRLF, and no message can contain NUL. */
const cleaned = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\0', '').trim()

/** Whether one of the words is this link, with punctuation around it or a slash at the end. */
const hasLink = (text = '', url = '') => text.split(/\s+/).some((word) => bare(word) === bare(url))

const BEFORE = '("\'<['
const AFTER = ')"\'>].,;:!?/'

/** Without the punctuation around it. Not by patterns, which take long for a long row of brackets. */
function bare(word: string) {
  let [start, end] = [0, word.length]
  while (start < end && BEFORE.includes(word.charAt(start))) start++
  while (start < end && AFTER.includes(word.charAt(end - 1))) end--
  return word.slice(start, end)
}

/** A longer title is not searched for in the text. */
const MAX_TITLE = 1000

/** Whether a text contains a title as whole words. */
function saysTitle(text: string, title: string) {
  const [where, what] = [folded(text), folded(title)]
  if (bare(where) === bare(what)) return true
  if (what.length > MAX_TITLE) return false
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + 1)) {
    const [before, after] = [where.slice(0, at).slice(-1), where.slice(at + what.length, at + what.length + 1)]
    if (!isLetter(before) && !isLetter(after)) return true
  }
  return false
}

const isLetter = (character: string) => /^[\p{L}\p{N}]/u.test(character)

const folded = (text: string) => text.toLowerCase().replace(/\s+/g, ' ')
