// A quote is a marked link to a message in a paragraph of its own. The text says only where the message is: each reader is shown what
// it says now, if they may read it. The links that Parley writes have no host, so they stay valid at another address.

/** Where a message is. */
export interface MessagePlace {
  channelId: string
  messageId: string
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Tells a quote from a link with words of the author's own. */
const MARK = '#quote'
const WRITTEN = `\\[([^[\\]\\n]{0,100})\\]\\((/channels/${ID}\\?message=${ID}${MARK})\\)`
const LEADING = new RegExp(`^${WRITTEN}(?:\\n\\n|\\s*$)`)
const PARAGRAPHS = new RegExp(`(?<=^|\\n\\n)${WRITTEN}(?:\\n\\n|\\n?$)`, 'g')
const PATH = new RegExp(`^/channels/(${ID})\\?message=(${ID})(?:${MARK})?$`)

/** The path of a message's page. */
export const messagePath = ({ channelId, messageId }: MessagePlace) => `/channels/${channelId}?message=${messageId}`

/** The message that a path leads to, if any. */
export function messageAtPath(path: string): MessagePlace | undefined {
  const [, channelId, messageId] = PATH.exec(path) ?? []
  return channelId && messageId ? { channelId, messageId } : undefined
}

/** @param label shown where a text is shown without what it quotes, such as in notifications */
export const quoteOf = (place: MessagePlace, label: string) => `[${label}](${messagePath(place)}${MARK})`

/** Whether an address is that of a quote. */
export const isQuoteUrl = (url: string) => url.endsWith(MARK)

/** The message that a quote leads to. */
export const placeIn = (quote: string) => messageAtPath(LEADING.exec(quote)?.[2] ?? '')

/** The quotes that a text begins with, as written, and the rest. */
export function splitQuotes(text: string): { quotes: string[]; rest: string } {
  const quotes: string[] = []
  let rest = text
  for (let found = LEADING.exec(rest); found; found = LEADING.exec(rest)) {
    quotes.push(found[0].trimEnd())
    rest = rest.slice(found[0].length)
  }
  return { quotes: [...new Set(quotes)], rest }
}

/** The text that `splitQuotes` splits into these. */
export const joinQuotes = (quotes: readonly string[], rest: string) =>
  [...quotes, ...(rest === '' ? [] : [rest])].join('\n\n')

/** Two texts as one, with the quotes of both in front. */
export function joinTexts(first: string, second: string) {
  const [before, after] = [splitQuotes(first), splitQuotes(second)]
  const rest = [before.rest, after.rest].filter((part) => part !== '').join('\n')
  return joinQuotes([...new Set([...before.quotes, ...after.quotes])], rest)
}

/** A text without its quotes, which are not its author's words. */
export const withoutQuotes = (text: string) => (text.includes(MARK) ? text.replace(PARAGRAPHS, '') : text)

/** A text with the label of each quote in its place. */
export const withQuoteLabels = (text: string) => text.replace(PARAGRAPHS, '$1\n\n').trimEnd()
