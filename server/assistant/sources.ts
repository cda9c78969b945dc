/** A message that the model was shown. */
export interface Source {
  id: string
  channelId: string
  /** The username of its author. */
  author: string
  text: string
}

export const linkOf = ({ channelId, id }: Pick<Source, 'channelId' | 'id'>) => `/channels/${channelId}?message=${id}`

/**
 * The messages that a model was shown, each under a tag by which it cites it: `[m3]`. So it writes no address by itself,
 * and only what it was shown can be cited.
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
   * The text with its tags as links to what they cite. Addresses that stood in nothing which the model was shown lead
   * nowhere: somebody who talks it into one would learn what it puts into it from whoever follows it.
   */
  const cite = (text: string) =>
    plainly(text)
      .replace(/\[([^[\]\n]{0,300})\]\(([^()\s]{0,1000})\)/g, (whole, label: string, address: string) =>
        isShown(address) ? whole : label,
      )
      // Labels that hold brackets, addresses that hold spaces or have no end, and definitions further down.
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

/** Without the ways in which markdown spells an address so that it does not look like one. */
const plainly = (text: string) =>
  text.replace(/&(?=#\d{1,7};|#x[\da-f]{1,6};|colon;|sol;|period;)/gi, '& ').replace(/\\([:/.])/g, '$1')

/** An address that can be read, and not followed; nothing is taken away, or what is around might make one again. */
const unlinked = (address: string) => address.replaceAll('://', ': ').replace(/www\./gi, 'www .')
