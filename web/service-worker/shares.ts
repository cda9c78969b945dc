// Receives what other apps share with an installed Parley: the browser posts a form to /share. Any website can do that as well, so
// the page only shows it, and nothing is sent before the user chooses a conversation and presses Send.
import { limits } from '#contract/limits'
import type { ShareFailure } from '../ui/device/share-failures.ts'
import { removeOldShares, type SharedContent, storeShare } from '../ui/device/shares.ts'
import { composeText } from './share-text.ts'

/** Characters of a text. Far more than a message can have, because its author may shorten it in the composer. */
const MAX_TEXT = 10 * limits.messageContent
/** Bytes of a file: the usual value of MAX_FILE_SIZE. The page knows the server's own limit. */
const MAX_FILE_BYTES = 1024 ** 3
/** Of the free storage, which drafts need as well. */
const MAX_STORAGE_PART = 0.5

/** Stores the form's content on this device, and leads to the page that shows it, or says why not. */
export async function takeShare(request: Request): Promise<Response> {
  const result = await receive(request).catch((error) => {
    console.warn('Failed to take what was shared:', error)
    return { failed: error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'unreadable' }
  })
  return Response.redirect(`/share?${new URLSearchParams(result)}`, 303)
}

async function receive(request: Request): Promise<{ id: string } | { failed: ShareFailure }> {
  const content = contentOf(await request.formData())
  await removeOldShares()
  const { quota = Number.POSITIVE_INFINITY, usage = 0 } = (await navigator.storage?.estimate()) ?? {}
  const failed = refusalOf(content, quota - usage)
  return failed ? { failed } : { id: await storeShare(content) }
}

/** The fields that the manifest names as `share_target`. */
export function contentOf(form: FormData): SharedContent {
  const field = (name: string) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  // A form without a chosen file sends an empty one.
  const isFile = (value: FormDataEntryValue) => typeof value !== 'string' && (value.name !== '' || value.size > 0)
  return {
    text: composeText({ title: field('title'), text: field('text'), url: field('url') }),
    files: (form.getAll('files').filter(isFile) as File[]).map(withPlainName),
  }
}

/** Browsers escape these characters of names in forms. */
function withPlainName(file: File) {
  const name = file.name.replaceAll('%22', '"').replace(/(%0D|%0A)+/g, ' ')
  return name === file.name ? file : new File([file], name, { type: file.type })
}

interface Sizes {
  text: string
  files: readonly { size: number }[]
}

/** Why something can't be kept; undefined if it can. */
export function refusalOf({ text, files }: Sizes, freeBytes: number): ShareFailure | undefined {
  if (text === '' && files.length === 0) return 'empty'
  if (text.length > MAX_TEXT) return 'tooLong'
  if (files.length > limits.attachments) return 'tooMany'
  if (files.some(({ size }) => size > MAX_FILE_BYTES)) return 'tooLarge'
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return bytes > freeBytes * MAX_STORAGE_PART ? 'full' : undefined
}
