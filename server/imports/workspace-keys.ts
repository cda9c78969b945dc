import { createHash } from 'node:crypto'
import type { ContentPart, ImportReader, ImportRecord } from './records.ts'

/** Longer keys, such as that of a conversation of many people, are stored as hashes: an index entry may have 2,700 bytes. */
const KEY_CHARACTERS = 200

/** Wraps a reader so that its keys never collide with those of another workspace, and can be stored. */
export function withWorkspaceKeys(reader: ImportReader): ImportReader {
  const { workspaceOf } = reader
  return {
    ...reader,
    async *read(archive, report, choices) {
      const prefix = workspaceOf ? `${await workspaceOf(archive)}\n` : ''
      for await (const record of reader.read(archive, report, choices)) yield prefixed(record, prefix)
    },
  }
}

const bounded = (key: string) => (key.length <= KEY_CHARACTERS ? key : createHash('sha256').update(key).digest('hex'))

function prefixed(record: ImportRecord, prefix: string): ImportRecord {
  const own = (key: string) => bounded(prefix + key)
  const orNull = (key: string | null) => (key === null ? null : own(key))
  if (record.kind === 'person') return { ...record, key: own(record.key) }
  // Its name stands in texts.
  if (record.kind === 'emoji') return { ...record, authorKey: orNull(record.authorKey) }
  if (record.kind === 'channel')
    return {
      ...record,
      key: own(record.key),
      ownerKey: orNull(record.ownerKey),
      memberKeys: record.memberKeys.map(own),
      ...(record.topicOf !== undefined && { topicOf: own(record.topicOf) }),
    }
  const part = (it: ContentPart): ContentPart => {
    if ('person' in it) return { person: own(it.person) }
    if ('channel' in it) return { ...it, channel: own(it.channel) }
    return 'message' in it ? { ...it, message: own(it.message) } : it
  }
  return {
    ...record,
    key: own(record.key),
    channelKey: own(record.channelKey),
    parentKey: orNull(record.parentKey),
    authorKey: own(record.authorKey),
    content: record.content.map(part),
    ...(record.earlier && {
      earlier: record.earlier.map(({ content, writtenAt }) => ({ content: content.map(part), writtenAt })),
    }),
    ...(record.pin && { pin: { at: record.pin.at, personKey: orNull(record.pin.personKey) } }),
    reactions: record.reactions.map(({ emoji, personKeys }) => ({ emoji, personKeys: personKeys.map(own) })),
  }
}
