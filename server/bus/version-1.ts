import type { BusNotice } from './bus.ts'

// Version 1 of the protocol, spoken by the previous release: notices are arrays that start with their kind. Remove this file
// in the next release.

/** The entries of each kind, in order. */
const ENTRIES: Record<string, readonly string[]> = {
  event: ['audience', 'event', 'payload', 'except', 'removal'],
  joined: ['channelId', 'userIds', 'rev'],
  left: ['channelId', 'userId', 'rev', 'removal'],
  private: ['channelId'],
  closed: ['channelId'],
  poll: [],
  presence: ['version', 'changes'],
  'presence:all': ['version', 'online'],
  'presence:wanted': [],
}

export type Tuple = readonly [kind: string, ...unknown[]]
type Fields = Record<string, unknown>

/** Encodes a notice for nodes of version 1. */
export function toVersion1(notice: BusNotice): Tuple {
  const { kind, ...fields }: BusNotice & Fields = { ...notice }
  const { came, left, audience } = fields
  if (kind === 'presence')
    fields['changes'] = [...(came as string[]).map((id) => [id, true]), ...(left as string[]).map((id) => [id, false])]
  if (audience) fields['audience'] = renamed(audience, 'viewers:', 'lookers:')
  return [kind, ...(ENTRIES[kind] ?? []).map((name) => fields[name])]
}

/** Decodes a notice of a version 1 node. */
export function fromVersion1([kind, ...values]: Tuple): BusNotice {
  const present = (ENTRIES[kind] ?? [])
    .map((name, i) => [name, values[i]] as const)
    .filter(([, value]) => value != null)
  const fields: Fields = Object.fromEntries(present)
  const { changes, audience } = fields
  if (kind === 'presence') {
    delete fields['changes']
    const idsOf = (isOnline: boolean) =>
      (changes as [string, boolean][]).flatMap(([id, isThere]) => (isThere === isOnline ? [id] : []))
    Object.assign(fields, { came: idsOf(true), left: idsOf(false) })
  }
  if (audience) fields['audience'] = renamed(audience, 'lookers:', 'viewers:')
  return { kind, ...fields }
}

/** Renames the room of a channel's viewers in an audience. */
const renamed = (audience: unknown, from: string, to: string) =>
  typeof audience === 'string' && audience.startsWith(from) ? to + audience.slice(from.length) : audience
