/** A message in the model's prompt. */
interface Source {
  id: string
  channelId: string
  /** The author's username. */
  author: string
  text: string
}

export const linkOf = ({ channelId, id }: Pick<Source, 'channelId' | 'id'>) => `/channels/${channelId}?message=${id}`

/** Up to the first character that ends a URL in most texts. */
const URL_REST = '[^\\s<>()[\\]`|“”„«»。、，；：！？…—]*'
const ADDRESS = new RegExp(`https?://${URL_REST}`, 'gi')
const LINK_OR_ADDRESS = new RegExp(`\\]\\([^)]{0,2000}\\)|(?:https?://|www\\.)${URL_REST}`, 'gi')
/** The longest run that the page's Markdown may treat as part of a URL: everything up to the next space. */
const UNTIL_SPACE = /[^ \t\r\n]*/y
/** Punctuation that ends a sentence, not a URL. */
const TRAILING = /[.,;:!?'"*_~)]+$/
/** Characters that may directly follow a URL without extending the link. */
const HARMLESS_END = /^\)?[*_~]{0,3}[.,;:!?'")]*$/
const CLOSING: Record<string, string> = { '<': '>', '[': ']', '`': '`' }

const untilSpace = (text: string, from: number) => {
  UNTIL_SPACE.lastIndex = from
  return UNTIL_SPACE.exec(text)?.[0] ?? ''
}

/** The URLs in a text, each without trailing punctuation, and also in the longest form that the page's Markdown might read. */
const addressesIn = (text: string) =>
  [...text.matchAll(ADDRESS)].flatMap(({ 0: found, index }) =>
    [found, untilSpace(text, index)].map((address) => address.replace(TRAILING, '')),
  )

/**
 * The messages in a model's prompt, each with a tag that the model cites: `[m3]`. So the model writes no URLs, and can cite only
 * messages that it was shown.
 */
export function createSources() {
  const tags = new Map<string, string>()
  const sources = new Map<string, Source>()
  const addresses = new Set<string>()

  function tagOf(source: Source): string {
    const known = tags.get(source.id)
    if (known) return known
    const tag = `m${tags.size + 1}`
    tags.set(source.id, tag)
    sources.set(tag, source)
    for (const address of addressesIn(source.text)) addresses.add(address)
    return tag
  }

  const link = (tag: string) => {
    const source = sources.get(tag)
    return source ? [`[${source.author}](${linkOf(source)})`] : []
  }

  const knownTags = (tagged: string) => [...new Set(tagged.match(/m\d+/g))].filter((tag) => sources.has(tag))

  const isShown = (address: string) => {
    const [, id] = /^\/channels\/[\w-]{1,64}\?message=([\w-]{1,64})$/.exec(address) ?? []
    if (id !== undefined) return tags.has(id)
    const isOneOfTheirs = addresses.has(address.replace(TRAILING, ''))
    return isOneOfTheirs && [...sources.values()].some(({ text }) => text.includes(address))
  }

  /** Unlinks a URL that occurs in no message, and separates a known one from text that would extend it. */
  function checkAddress(found: string, offset: number, text: string): string {
    const after = offset + found.length
    // Removing text may have formed a link from its surroundings.
    if (found.startsWith('](') && !isShown(found.slice(2, -1))) return unlinked(separated(found))
    if (found.startsWith(']('))
      return /^\]\(https?:/i.test(found) && !HARMLESS_END.test(untilSpace(text, after)) ? `${found} ` : found
    const whole = untilSpace(text, offset)
    const longest = whole.replace(TRAILING, '')
    if (addresses.has(longest) && HARMLESS_END.test(whole.slice(longest.length))) return found
    const address = found.replace(TRAILING, '')
    if (!addresses.has(address)) return unlinked(found)
    const end = found.slice(address.length)
    const isEnclosed = end === '' && text[after] === CLOSING[text[offset - 1] ?? '']
    return HARMLESS_END.test(end + untilSpace(text, isEnclosed ? after + 1 : after)) ? found : `${address} ${end}`
  }

  /**
   * Replaces tags by links to the cited messages. URLs that occur in none of them are unlinked: otherwise a prompt injection
   * could leak data through a URL that a reader opens.
   */
  const cite = (text: string) =>
    // Remove unknown tags first: the text around them may form a URL.
    plainly(
      text.replace(TAGS, (tagged) =>
        knownTags(tagged)
          .map((tag) => `[${tag}]`)
          .join(''),
      ),
    )
      .replace(/\[([^[\]\n]{0,300})\]\(([^()\s]{0,1000})\)/g, (whole, label: string, address: string) =>
        isShown(address) ? whole : isCall(address) ? separated(whole) : label,
      )
      // Labels with brackets, URLs with spaces or without an end, and link definitions.
      .replace(/\]\(([^)]{0,2000})(\)|$)/g, (whole, address: string) =>
        isShown(address) ? whole : isCall(address) ? separated(whole) : ']',
      )
      .replace(/^([ \t>]{0,20}\[[^\]]{0,300}\]):/gm, '$1 :')
      // `<mailto:…>`, and `<http:…>` without slashes, are also links.
      .replace(/<(?!https?:\/\/)(?=(?:https?|ircs?|mailto|xmpp):)/gi, '< ')
      .replace(LINK_OR_ADDRESS, checkAddress)
      .replace(TAGS, (tagged, offset: number, whole: string) => {
        const links = knownTags(tagged).flatMap(link).join(', ')
        if (links === '') return tagged
        // Directly after a bracket, it would become that bracket's URL.
        return `${whole[offset - 1] === ']' ? ' ' : ''}(${links})`
      })

  return { tagOf, cite }
}

export type Sources = ReturnType<typeof createSources>

const TAGS = /\[m\d{1,4}(?:, ?m\d{1,4}){0,20}\]/g

/** Undoes escapes by which Markdown can disguise a URL. */
const plainly = (text: string) =>
  text.replace(/&(?=#\d{1,7};|#x[\da-f]{1,6};|colon;|sol;|period;)/gi, '& ').replace(/(?<!\\)\\+([:/.])/g, '$1')

/** Whether the text after a bracket, as in `handlers[name](event)`, is code rather than a URL. */
const isCall = (address: string) => !/[:/\\&<@]|www\./i.test(address)
const separated = (link: string) => link.replaceAll('](', '] (')

/** Makes a URL readable but not clickable. Removes nothing, or the remaining text might form a URL again. */
const unlinked = (address: string) => address.replaceAll('://', ': ').replace(/www\./gi, 'www .')
