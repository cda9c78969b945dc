import { fileTypeFromBuffer } from 'file-type'

/** The first bytes of a file, from which its type is detected. */
export const SAMPLE_BYTES = 16 * 1024

const UNKNOWN = 'application/octet-stream'
/** Text types that an uploader may claim, because they cannot be detected. */
const CLAIMABLE_TEXT = /^(text\/[\w.+-]+|application\/(json|xml|yaml|toml|javascript|sql|x-sh)|image\/svg\+xml)$/

/** Detects the type from the first bytes. The uploader's claim only distinguishes kinds of text. */
export async function detectType(sample: Buffer, claimed: string): Promise<string> {
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (detected && detected.mime !== 'application/xml') return detected.mime
  if (!isText(sample)) return UNKNOWN
  const claim = claimed.toLowerCase().split(';')[0]?.trim() ?? ''
  return CLAIMABLE_TEXT.test(claim) ? claim : (detected?.mime ?? 'text/plain')
}

function isText(sample: Buffer): boolean {
  if (sample.includes(0)) return false
  try {
    // Streaming, because the sample may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

const PICTURES = ['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((format) => `image/${format}`)

/** Types that get a thumbnail. */
export const isPicture = (type: string) => PICTURES.includes(type)

/** Types that browsers may show inline; none of them can contain scripts. */
export const isInline = (type: string) => isPicture(type) || /^(audio|video)\/[\w.+-]+$/.test(type)
