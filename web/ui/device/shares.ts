// What other apps shared with Parley, kept on this device until it is in a composer. The service worker stores it, the page takes it.
//
// One cache holds everything: `/share/<id>` describes a share, `/share/<id>/<n>` is its file number n, and `/share/person` names the
// signed-in user, to whom new shares belong. The files are responses, so large ones stay on disk.

export const SHARES_CACHE = 'parley shares'
const PERSON_KEY = '/share/person'
const MINUTE_MS = 60_000
const MAX_AGE_MS = 60 * MINUTE_MS
/** Shares that wait for their user to choose a conversation. */
const MAX_PENDING = 3

export interface SharedContent {
  text: string
  files: File[]
}

export interface StoredShare {
  /** Unix time in milliseconds. */
  at: number
  /** The user who was signed in; null if nobody was: then it belongs to the next who signs in. */
  person: string | null
  /** Whether all files are stored. */
  isComplete: boolean
  text: string
  files: { name: string; type: string }[]
  /** The conversation that its files are uploaded to. The text is in a draft there. */
  chosen?: object
}

const SHARE_ID = /^[\w-]{36}$/

const keyOf = (id: string) => `/share/${id}`
const fileKey = (id: string, index: number) => `${keyOf(id)}/${index}`

/** Stores a share and returns its id. Rejects, without leaving anything, if the device has no room for it. */
export async function storeShare({ text, files }: SharedContent): Promise<string> {
  const cache = await globalThis.caches.open(SHARES_CACHE)
  const id = crypto.randomUUID()
  const described = files.map(({ name, type }) => ({ name, type }))
  const share = { at: Date.now(), person: await personIn(cache), isComplete: false, text, files: described }
  try {
    // First, so that the files are found and removed if this stops halfway.
    await writeJson(cache, keyOf(id), share)
    for (const [index, file] of files.entries()) await cache.put(fileKey(id, index), new Response(file))
    // Others may have taken its place.
    if (!(await cache.match(keyOf(id)))) throw new Error('The share was removed')
    await writeJson(cache, keyOf(id), { ...share, isComplete: true })
    return id
  } catch (error) {
    await remove(cache, id)
    throw error
  }
}

/** A share that this user may see; null if there is none, or it is too old. */
export async function readShare(id: string, person: string): Promise<SharedContent | null> {
  const cache = SHARE_ID.test(id) ? await openShares() : undefined
  const share = await cache?.match(keyOf(id)).then(readJson)
  if (!cache || !share || share.chosen || !isFor(person, share)) return null
  return { text: share.text, files: [...(await readFiles(cache, id, share)).values()] }
}

const isFor = (person: string, share: StoredShare) =>
  share.isComplete && !isExpired(share) && (share.person ?? person) === person

/** The files that are still stored, by their numbers. */
async function readFiles(cache: Cache, id: string, { files }: StoredShare) {
  const found = new Map<number, File>()
  for (const [number, { name, type }] of files.entries()) {
    const stored = await cache.match(fileKey(id, number))
    if (stored) found.set(number, new File([await stored.blob()], name, { type }))
  }
  return found
}

/** Keeps only the files of a share, for the conversation that was chosen. */
export async function markChosen(id: string, chosen: object) {
  const cache = await openShares()
  const share = await cache?.match(keyOf(id)).then(readJson)
  if (cache && share) await writeJson(cache, keyOf(id), { ...share, text: '', chosen })
}

/** The shares of this user whose files were not uploaded yet when their page was closed. */
export async function unfinishedShares(person: string) {
  const cache = await openShares()
  if (!cache) return []
  const found: { id: string; place: object; files: Map<number, File> }[] = []
  for (const [id, share] of await storedShares(cache)) {
    if (share.chosen && isFor(person, share))
      found.push({ id, place: share.chosen, files: await readFiles(cache, id, share) })
  }
  return found
}

export async function removeSharedFile(id: string, number: number) {
  await (await openShares())?.delete(fileKey(id, number))
}

export async function removeShare(id: string) {
  const cache = await openShares()
  if (cache) await remove(cache, id)
}

/** Makes this user the owner of the shares that were stored while nobody was signed in, and of coming ones. Removes old ones. */
export async function claimShares(person: string) {
  const cache = await globalThis.caches?.open(SHARES_CACHE)
  if (!cache) return
  if ((await personIn(cache)) !== person) await cache.put(PERSON_KEY, new Response(person))
  await removeOutdated(cache, MAX_PENDING)
  for (const [id, share] of await storedShares(cache)) {
    // The service worker still writes an incomplete one.
    if (share.person === null && share.isComplete) await writeJson(cache, keyOf(id), { ...share, person })
  }
}

/** Nobody is signed in: new shares belong to the next who signs in. */
export async function endSharesOwner() {
  const cache = await openShares()
  if (!cache) return
  await cache.delete(PERSON_KEY)
  if ((await cache.keys()).length === 0) await globalThis.caches.delete(SHARES_CACHE)
}

/** Removes the shares of all other users. */
export async function removeOthersShares(person: string) {
  const cache = await openShares()
  if (!cache) return
  if ((await personIn(cache)) !== person) await cache.delete(PERSON_KEY)
  for (const [id, share] of await storedShares(cache)) {
    if ((share.person ?? person) !== person) await remove(cache, id)
  }
}

/** Makes room for a new share. */
export async function removeOldShares() {
  const cache = await openShares()
  if (cache) await removeOutdated(cache, MAX_PENDING - 1)
}

/** Undefined if nothing was ever shared here, or the browser has no caches. */
const openShares = async () =>
  (await globalThis.caches?.has(SHARES_CACHE)) ? globalThis.caches.open(SHARES_CACHE) : undefined

const personIn = async (cache: Cache) => (await (await cache.match(PERSON_KEY))?.text()) ?? null

const writeJson = (cache: Cache, key: string, share: StoredShare) => cache.put(key, Response.json(share))

const readJson = async (response: Response | undefined): Promise<StoredShare | undefined> => response?.json()

async function storedShares(cache: Cache): Promise<[id: string, share: StoredShare][]> {
  const ids = (await cache.keys()).flatMap(({ url }) => /\/share\/([\w-]{36})$/.exec(url)?.[1] ?? [])
  const shares = await Promise.all(ids.map((id) => cache.match(keyOf(id)).then(readJson)))
  return ids.flatMap((id, index) => (shares[index] ? [[id, shares[index]] as [string, StoredShare]] : []))
}

async function removeOutdated(cache: Cache, most: number) {
  for (const id of outdated(await storedShares(cache), most)) await remove(cache, id)
}

/** The ids of the shares that are too old, and of the oldest if there are more than `most`. */
export const outdated = (shares: readonly (readonly [id: string, share: Pick<StoredShare, 'at'>])[], most: number) =>
  shares
    .toSorted(([, a], [, b]) => b.at - a.at)
    .filter(([, share], index) => index >= most || isExpired(share))
    .map(([id]) => id)

/** A clock that was set back must not keep a share forever. */
const isExpired = ({ at }: Pick<StoredShare, 'at'>) => Math.abs(Date.now() - at) > MAX_AGE_MS

/** Its description goes last: without it, the files would not be found. */
async function remove(cache: Cache, id: string) {
  const start = `${keyOf(id)}/`
  for (const request of await cache.keys()) {
    if (new URL(request.url).pathname.startsWith(start)) await cache.delete(request)
  }
  await cache.delete(keyOf(id))
}
