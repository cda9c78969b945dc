import { Parser } from 'htmlparser2'

/** What a page says about itself. */
export interface PageFacts {
  title: string
  description: string
  site: string
  /** As written, possibly relative. */
  picture: string | undefined
  /** Where the page is described as JSON (oEmbed). */
  oembed: string | undefined
}

const NAMES = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  site: ['og:site_name', 'application-name'],
  picture: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
} as const

/** What a head contains. Anything else begins the body. */
const HEAD = new Set(['html', 'head', 'title', 'meta', 'link', 'script', 'style', 'base', 'noscript', 'template'])
/** Tags, attributes and pieces of text that are read: pages can be made to take very long. */
const MAX_STEPS = 10_000

/** Reads the head of an HTML page: Open Graph first, then what others use. */
export function readPage(html: string): PageFacts {
  /** The first of each name. */
  const meta = new Map<string, string>()
  let oembed: string | undefined
  let title = ''
  let isInTitle = false
  let steps = 0
  function step() {
    if (++steps > MAX_STEPS) parser.pause()
  }
  const parser = new Parser({
    onopentagname(tag) {
      step()
      if (!HEAD.has(tag)) parser.pause()
    },
    onattribute: step,
    onopentag(tag, attributes) {
      if (tag === 'title') isInTitle = title === ''
      if (tag === 'meta') note(attributes['property'] ?? attributes['name'], attributes['content'])
      if (tag === 'link' && isOembed(attributes)) oembed ??= attributes['href']
    },
    ontext(text) {
      step()
      if (isInTitle) title += text
    },
    onclosetag(tag) {
      if (tag === 'title') isInTitle = false
    },
  })
  const note = (name = '', content = '') => {
    const key = name.trim().toLowerCase()
    if (content.trim() !== '' && !meta.has(key)) meta.set(key, content)
  }
  parser.write(html)
  const first = (names: readonly string[]) =>
    names.map((name) => meta.get(name)).find((content) => content !== undefined)
  return {
    title: first(NAMES.title) ?? title,
    description: first(NAMES.description) ?? '',
    site: first(NAMES.site) ?? '',
    picture: first(NAMES.picture),
    oembed,
  }
}

const isOembed = ({ rel = '', type = '' }: Record<string, string>) =>
  /\balternate\b/i.test(rel) && type.trim().toLowerCase() === 'application/json+oembed'

/** A page's bytes as text, in the encoding that its header or the page itself names. */
export function decodePage(bytes: Buffer, contentType: string): string {
  const named =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, SNIFFED_BYTES).toString('latin1'))?.[1]
  return decoderOf(named).decode(bytes)
}

const SNIFFED_BYTES = 2048

function decoderOf(label = 'utf-8') {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
