import { readJson, saveItem } from '../../../ui/device/local-storage.ts'

/** What a person chose in this browser, kept to notice when the browser or the server lost it. */
export interface PushMemory {
  /** Of the subscription that the server knows. */
  endpoint: string
  hidesText: boolean
}

const keyOf = (person: string) => `parley.push.${person}`

/** Undefined if notifications while Parley is closed are not turned on here. */
export function readPushMemory(person: string | undefined): PushMemory | undefined {
  const stored = person === undefined ? null : (readJson(keyOf(person)) as Partial<PushMemory> | null)
  if (typeof stored?.endpoint !== 'string') return undefined
  return { endpoint: stored.endpoint, hidesText: stored.hidesText === true }
}

/** Forgets it without a value. Returns false if the browser refuses. */
export const savePushMemory = (person: string, memory?: PushMemory) =>
  saveItem(keyOf(person), memory && JSON.stringify(memory))
