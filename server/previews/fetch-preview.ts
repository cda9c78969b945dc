import * as z from 'zod/mini'
import { detectType, isPicture, SAMPLE_BYTES } from '../files/file-type.ts'
import { makeThumbnail } from '../files/thumbnail.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Fetched, Outbound } from '../outbound/outbound.ts'
import { decodePage, type PageFacts, readPage } from './page-facts.ts'

export interface FetchedPreview {
  title: string
  description: string
  site: string
  picture: { bytes: Buffer; width: number; height: number } | null
}

const MAX_PAGE_BYTES = 1024 * 1024
const MAX_PICTURE_BYTES = 4 * 1024 * 1024
const MAX_OEMBED_BYTES = 64 * 1024
/** Smaller ones are icons, or count visits. */
const MIN_PICTURE_SIDE_PX = 32
const MAX_CHARACTERS = { title: 200, description: 300, site: 80 }

interface Services {
  outbound: Outbound
  bounds: Pick<Bounds, 'pictureBytes'>
}

/**
 * Fetches what a link leads to: a page with a title, or a picture.
 * @returns undefined if there is nothing to show
 * @throws OutboundError, or the signal's reason
 */
export async function fetchPreview(
  services: Services,
  link: string,
  signal: AbortSignal,
): Promise<FetchedPreview | undefined> {
  const fetched = await services.outbound.get(link, {
    accept: 'text/html,application/xhtml+xml,image/*;q=0.8',
    maxBytes: (type) => (isPage(type) ? MAX_PAGE_BYTES : isImage(type) ? MAX_PICTURE_BYTES : undefined),
    signal,
  })
  if (isImage(fetched.type)) {
    const picture = await pictureOf(fetched, services.bounds, signal)
    return picture && { title: '', description: '', site: hostOf(link), picture }
  }
  const facts = await factsOf(services, fetched, signal)
  const title = cleaned(facts.title, MAX_CHARACTERS.title)
  const picture = facts.picture ? await fetchPicture(services, new URL(facts.picture, fetched.url), signal) : null
  if (title === '' && !picture) return undefined
  return {
    title,
    description: cleaned(facts.description, MAX_CHARACTERS.description),
    site: cleaned(facts.site, MAX_CHARACTERS.site) || hostOf(link),
    picture,
  }
}

const isPage = (type: string) => type === 'text/html' || type === 'application/xhtml+xml'
const isImage = (type: string) => type.startsWith('image/')
const hostOf = (link: string) => new URL(link).hostname.replace(/^www\./, '')

async function factsOf(
  services: Services,
  { bytes, contentType, url }: Fetched,
  signal: AbortSignal,
): Promise<PageFacts> {
  const facts = readPage(decodePage(bytes, contentType))
  const isComplete = facts.title.trim() !== '' && URL.canParse(facts.picture ?? '', url)
  const described = isComplete || !facts.oembed ? undefined : await fetchOembed(services, facts.oembed, url, signal)
  return {
    ...facts,
    title: facts.title.trim() || (described?.title ?? ''),
    site: facts.site.trim() || (described?.provider_name ?? ''),
    picture: [facts.picture, described?.thumbnail_url, described?.type === 'photo' ? described.url : undefined].find(
      (picture) => picture !== undefined && URL.canParse(picture, url),
    ),
  }
}

const text = z.catch(z.optional(z.string()), undefined)
const Oembed = z.object({ type: text, title: text, provider_name: text, thumbnail_url: text, url: text })

/** The page's description as JSON; undefined if it fails, because the page itself has said something. */
async function fetchOembed({ outbound }: Services, href: string, page: string, signal: AbortSignal) {
  try {
    const { bytes } = await outbound.get(new URL(href, page).href, {
      accept: 'application/json',
      maxBytes: (type) => (/json/.test(type) ? MAX_OEMBED_BYTES : undefined),
      signal,
    })
    return Oembed.parse(JSON.parse(bytes.toString()))
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** Null if it fails: the text is worth showing without it. */
async function fetchPicture({ outbound, bounds }: Services, { href }: URL, signal: AbortSignal) {
  try {
    const maxBytes = (type: string) => (isImage(type) ? MAX_PICTURE_BYTES : undefined)
    return (await pictureOf(await outbound.get(href, { accept: 'image/*', maxBytes, signal }), bounds, signal)) ?? null
  } catch {
    return null
  }
}

/** Scaled down and encoded again. Undefined if it isn't one, or too small or large. */
async function pictureOf({ bytes, isCut, type }: Fetched, bounds: Services['bounds'], signal: AbortSignal) {
  if (isCut || !isPicture(await detectType(bytes.subarray(0, SAMPLE_BYTES), type))) return undefined
  const read = async () => {
    // Its turn may come late, after those of uploads.
    signal.throwIfAborted()
    return bytes
  }
  const made = await makeThumbnail(read, bounds.pictureBytes)
  if (!made || Math.min(made.width, made.height) < MIN_PICTURE_SIDE_PX) return undefined
  return { bytes: made.thumbnail, width: made.width, height: made.height }
}

/** Control characters, those that turn the direction of what follows, and halves of characters. */
const UNWANTED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u2028\u2029]+/gu

/** One line of text, cut at a whole character. */
function cleaned(text: string, max: number): string {
  const line = text
    .slice(0, max * 8)
    .replace(UNWANTED, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  // Nothing that one could see or hear.
  if (!/[^\p{C}\p{Z}\p{M}]/u.test(line)) return ''
  const characters = [...line]
  return characters.length <= max
    ? line
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}
