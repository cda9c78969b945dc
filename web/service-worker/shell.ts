// The shell: the document and the files of a build, which contain nothing of any person. docs/decisions/0059-app.md
import { SHELL_CACHES, SHELL_MARK } from '../ui/device/cache-names.ts'

const NAME = SHELL_CACHES + __BUILD__
const DOCUMENT = '/'
/** When the worker of a shell last took over, in milliseconds. */
const ACTIVATED = '/activated'
/** How long a page waits for the server before the shell is shown instead. */
const PAGE_TIMEOUT_MS = 5000

const filesInUse = new Set(__FILES_IN_USE__)
let installation: Promise<void> | undefined

/** Stores the shell, unless it is stored. Rejects if the server cannot be reached, or has another build by now. */
export function installShell() {
  installation ??= store().finally(() => {
    installation = undefined
  })
  return installation
}

/** Stores one file after the other, so that an open page, which shares the connections, does not wait. */
async function store() {
  const shell = await caches.open(NAME)
  if (await shell.match(DOCUMENT)) return
  try {
    for (const file of __FILES__) {
      if (!(await shell.match(file))) await shell.put(file, await fetchFile(file))
    }
    // Last, because a shell without its document is incomplete.
    await shell.put(DOCUMENT, await fetchDocument())
  } catch (error) {
    // Messages and drafts need what is left of the disk.
    if (error instanceof DOMException && error.name === 'QuotaExceededError') await caches.delete(NAME)
    throw error
  }
}

/** Not copied from an earlier shell, which scripts of a page can change; the browser's HTTP cache has what is unchanged. */
async function fetchFile(path: string) {
  const response = await fetch(path, { priority: 'low' })
  if (!isOwn(response) || isHtml(response)) throw new Error(`${path} is not available (${response.status})`)
  return response
}

/** The document, marked as the shell's. */
async function fetchDocument() {
  const response = await fetch(DOCUMENT, { cache: 'no-store' })
  const html = await response.text()
  if (!isOwn(response) || !html.includes(__ENTRY__)) throw new Error('The server has another build')
  const headers = new Headers(response.headers)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(html.replace('<html', `<html ${SHELL_MARK}`), { headers })
}

/** Whether it is a successful response of the server, not of a proxy that asks people to sign in. */
const isOwn = (response: Response) => response.ok && !response.redirected
const isHtml = (response: Response) => response.headers.get('content-type')?.includes('text/html')

/** Call when this worker has taken over. Removes all other shells but the last one, which open pages may still use. */
export async function removeOldShells() {
  const shell = await caches.open(NAME)
  await shell.put(ACTIVATED, new Response(String(Date.now())))
  const others = (await shellNames()).filter((name) => name !== NAME)
  const activated = await Promise.all(others.map(activatedAt))
  const last = Math.max(...activated)
  await Promise.all(others.map((name, at) => (activated[at] === last && last > 0) || caches.delete(name)))
}

const shellNames = async () => (await caches.keys()).filter((name) => name.startsWith(SHELL_CACHES))

/** 0 if its worker never took over, because it is incomplete. */
const activatedAt = async (cacheName: string) =>
  Number(await (await caches.match(ACTIVATED, { cacheName }))?.text()) || 0

/** The server's document of a page, or the shell if the server cannot be reached, is slow, or a proxy reports an error. */
export async function answerPage(event: FetchEvent): Promise<Response> {
  const answer = fetchPage(event)
  const inTime = await Promise.race([answer.catch(() => undefined), delay(PAGE_TIMEOUT_MS)])
  if (inTime && inTime.status < 500) {
    // The browser may have removed it.
    event.waitUntil(installShell().catch((error) => console.warn('Failed to store the app:', error)))
    return inTime
  }
  return (await stored(DOCUMENT)) ?? answer
}

const fetchPage = async ({ preloadResponse, request }: FetchEvent): Promise<Response> =>
  (await preloadResponse) ?? fetch(request)

const delay = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined))

/** A file whose name contains a hash of its content, of any build. */
export async function answerFile(event: FetchEvent, path: string): Promise<Response> {
  const known = (await stored(path)) ?? (await storedEarlier(path))
  if (known) return known
  const response = await fetch(event.request)
  if (isOwn(response) && filesInUse.has(path)) event.waitUntil(keep(path, response.clone()))
  return response
}

/** A picture, whose name stays when it changes. */
export const isPicture = (path: string) => path.endsWith('.svg') && __FILES__.includes(path)

export const answerPicture = async ({ request }: FetchEvent, path: string) =>
  fetch(request).catch(async (error) => {
    const known = await stored(path)
    if (!known) throw error
    return known
  })

/** From this build's shell; undefined also if the browser can't read it. */
const stored = (path: string) => caches.match(path, { cacheName: NAME }).catch(() => undefined)

/** From another shell. */
async function storedEarlier(path: string) {
  try {
    const found = await Promise.all((await shellNames()).map((cacheName) => caches.match(path, { cacheName })))
    return found.find((response) => response !== undefined)
  } catch {
    return undefined
  }
}

async function keep(path: string, response: Response) {
  try {
    await (await caches.open(NAME)).put(path, response)
  } catch (error) {
    console.warn('Failed to store a file of the app:', error)
  }
}
