/** A message in the model's prompt. */
export interface Source {
  id: string
  channelId: string
  /** The username of its author. */
  author: string
  text: string
}

export const linkOf = ({ channelId, id }: Pick<Source, 'channelId' | 'id'>) => `/channels/${channelId}?message=${id}`

/**
 * The messages in a model's prompt, each under a tag that the model cites: `[m3]`. So the model writes no URLs, and can
 * cite only messages that it was shown.
 */
export function createSources() {
  const tags = new Map<string, string>()
  const sources = new Map<string, Source>()

  function tagOf(source: Source): string {
    const known = tags.get(source.id)
    if (known) return known
    const tag = `m${tags.size + 1}`
    tags.set(source.id, tag)
    sources.set(tag, source)
    return tag
  }

  const link = (tag: string) => {
    const source = sources.get(tag)
    return source ? [`[${source.author}](${linkOf(source)})`] : []
  }

  const isShown = (address: string) => {
    const [, id] = /^\/channels\/[\w-]{1,64}\?message=([\w-]{1,64})$/.exec(address) ?? []
    if (id !== undefined) return tags.has(id)
    return /^https?:\/\/./.test(address) && [...sources.values()].some(({ text }) => text.includes(address))
  }

  /**
   * Replaces tags by links to the cited messages. URLs that appear in none of them lose their link: otherwise a prompt
   * injection could leak data through a URL that a reader opens.
   */
  const cite = (text: string) =>
    plainly(text)
      .replace(/\[([^[\]\n]{0,300})\]\(([^()\s]{0,1000})\)/g, (whole, label: string, address: string) =>
        isShown(address) ? whole : label,
      )
      // Labels with brackets, URLs with spaces or without an end, and link definitions.
      .replace(/\]\(([^)]{0,2000})(\)|$)/g, (whole, address: string) => (isShown(address) ? whole : ']'))
      .replace(/^([ \t>]{0,20}\[[^\]]{0,300}\]):/gm, '$1 :')
      .replace(/\]\([^)]{0,2000}\)|(?:https?:\/\/|www\.)[^\s<>()[\]`]{0,2000}/gi, (found) =>
        found.startsWith('](') || isShown(found.replace(/[.,;:!?'"*_~]+$/, '')) ? found : unlinked(found),
      )
      .replace(/\[m\d{1,4}(?:, ?m\d{1,4}){0,20}\]/g, (tagged) => {
        const links = [...new Set(tagged.match(/m\d+/g))].flatMap(link)
        return links.length > 0 ? `(${links.join(', ')})` : ''
      })

  return { tagOf, cite }
}

export type Sources = ReturnType<typeof createSources>

/** Undoes the escapes by which markdown can disguise a URL. */
const plainly = (text: string) =>
  text.replace(/&(?=#\d{1,7};|#x[\da-f]{1,6};|colon;|sol;|period;)/gi, '& ').replace(/\\([:/.])/g, '$1')

/** Makes a URL readable but not clickable. Nothing is removed, or the remaining text might form a URL again. */
const unlinked = (address: string) => address.replaceAll('://', ': ').replace(/www\./gi, 'www .')
