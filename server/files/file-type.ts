import { fileTypeFromBuffer } from 'file-type'

/** How much of a file's beginning tells what it is. */
export const SAMPLE_BYTES = 16 * 1024

const UNKNOWN = 'application/octet-stream'
/** What may be said of a text, which does not show what it is. */
const TEXT = /^(text\/[\w.+-]+|application\/(json|xml|yaml|toml|javascript|sql|x-sh)|image\/svg\+xml)$/

/** The type of a file by its first bytes. The uploader is believed only in what kind of text it is. */
export async function detectType(sample: Buffer, claimed: string): Promise<string> {
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined)
  if (detected && detected.mime !== 'application/xml') return detected.mime
  if (!isText(sample)) return UNKNOWN
  const claim = claimed.toLowerCase().split(';')[0]?.trim() ?? ''
  return TEXT.test(claim) ? claim : (detected?.mime ?? 'text/plain')
}

function isText(sample: Buffer): boolean {
  if (sample.includes(0)) return false
  try {
    // Streaming, because the sample may end amid a character.
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

const PICTURES = ['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((it) => `image/${it}`)

/** Pictures of which a thumbnail is made. */
export const isPicture = (type: string) => PICTURES.includes(type)

/** What a browser may show where it is: nothing that can hold a script. */
export const isInline = (type: string) => isPicture(type) || /^(audio|video)\/[\w.+-]+$/.test(type)
