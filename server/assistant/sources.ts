/** A message in the model's prompt. */
interface Source {
  id: string
  channelId: string
  /** The username of its author. */
  author: string
  text: string
}

export const linkOf = ({ channelId, id }: Pick<Source, 'channelId' | 'id'>) => `/channels/${channelId}?message=${id}`

/** Up to the first character that ends a URL in most texts. */
const URL_REST = '[^\\s<>()[\\]`|“”„«»。、，；：！？…—]*'
const ADDRESS = new RegExp(`https?://${URL_REST}`, 'gi')
const LINK_OR_ADDRESS = new RegExp(`\\]\\([^)]{0,2000}\\)|(?:https?://|www\\.)${URL_REST}`, 'gi')
/** What the page's markdown may count as part of a URL: everything up to the next space. */
const UNTIL_SPACE = /[^ \t\r\n]*/y
/** Punctuation that ends a sentence, not a URL. */
const TRAILING = /[.,;:!?'"*_~)]+$/
/** What may follow a URL directly: it adds nothing to the link. */
const HARMLESS_END = /^\)?[*_~]{0,3}[.,;:!?'")]*$/
const CLOSING: Record<string, string> = { '<': '>', '[': ']', '`': '`' }

const untilSpace = (text: string, from: number) => {
  UNTIL_SPACE.lastIndex = from
  return UNTIL_SPACE.exec(text)?.[0] ?? ''
}

/** The URLs in a text, each without the punctuation after it, and as long as the page's markdown might read it. */
const addressesIn = (text: string) =>
  [...text.matchAll(ADDRESS)].flatMap(({ 0: found, index }) =>
    [found, untilSpace(text, index)].map((address) => address.replace(TRAILING, '')),
  )

/**
 * The messages in a model's prompt, each under a tag that the model cites: `[m3]`. So the model writes no URLs, and can
 * cite only messages that it was shown.
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

  /** Makes a URL that no message contains readable only, and separates one that does from what would extend it. */
  function checkAddress(found: string, offset: number, text: string): string {
    const after = offset + found.length
    // What was removed may have made a link of what was around it.
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
   * Replaces tags by links to the cited messages. URLs that appear in none of them lose their link: otherwise a prompt
   * injection could leak data through a URL that a reader opens.
   */
  const cite = (text: string) =>
    // Unknown tags go first: what they separated may form a URL.
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
      // `<mailto:…>`, and `<http:…>` without slashes, are links too.
      .replace(/<(?!https?:\/\/)(?=(?:https?|ircs?|mailto|xmpp):)/gi, '< ')
      .replace(LINK_OR_ADDRESS, checkAddress)
      .replace(TAGS, (tagged, offset: number, whole: string) => {
        const links = knownTags(tagged).flatMap(link).join(', ')
        if (links === '') return tagged
        // Directly after a bracket it would be that bracket's URL.
        return `${whole[offset - 1] === ']' ? ' ' : ''}(${links})`
      })

  return { tagOf, cite }
}

export type Sources = ReturnType<typeof createSources>

const TAGS = /\[m\d{1,4}(?:, ?m\d{1,4}){0,20}\]/g

/** Undoes the escapes by which markdown can disguise a URL. */
const plainly = (text: string) =>
  text.replace(/&(?=#\d{1,7};|#x[\da-f]{1,6};|colon;|sol;|period;)/gi, '& ').replace(/(?<!\\)\\+([:/.])/g, '$1')

/** Whether what follows a bracket, as in `handlers[name](event)`, is code rather than a URL. */
const isCall = (address: string) => !/[:/\\&<@]|www\./i.test(address)
const separated = (link: string) => link.replaceAll('](', '] (')

/** Makes a URL readable but not clickable. Nothing is removed, or the remaining text might form a URL again. */
const unlinked = (address: string) => address.replaceAll('://', ': ').replace(/www\./gi, 'www .')
