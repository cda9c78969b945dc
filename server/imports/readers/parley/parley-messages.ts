import type { ImportRecord, MessageRecord } from '../../records.ts'
import type { DiskLists } from '../common/disk-lists.ts'
import { limited } from '../common/limited.ts'
import { type Fields, firstText, objectsOf, sizeOf, textOf, textsOf, timeOfText } from '../common/values.ts'
import type { Reading } from './parley-reading.ts'
import { parleyText } from './parley-text.ts'

/**
 * A message of a channel, after the people who are known only from it.
 * @param lists remembers which messages there were so far
 */
export function* readMessage(
  reading: Reading,
  channelKey: string,
  message: Fields,
  lists: DiskLists,
): Generator<ImportRecord> {
  const { people, channels, report } = reading
  const [key, authorKey] = [textOf(message['id']), textOf(message['userId'])]
  const createdAt = timeOfText(message['createdAt'])
  if (!key || !authorKey || !createdAt) return report.add('unknownMessage', key)
  const mentioned = mentionedIn(message)
  const reactions = objectsOf(message['reactions']).map((it) => ({
    emoji: textOf(it['emoji']),
    personKeys: textsOf(it['userIds']),
  }))
  const [editedAt, deletedAt] = [timeOfText(message['editedAt']), timeOfText(message['deletedAt'])]
  const pin = deletedAt === null ? pinOf(message) : undefined
  const earlier = editedAt !== null && deletedAt === null ? earlierOf(message, reading, mentioned) : []
  const named = [authorKey, ...mentioned.values(), ...reactions.flatMap(({ personKeys }) => personKeys)]
  for (const person of pin?.personKey ? [...named, pin.personKey] : named) yield* people.stranger(person)
  const parentKey = firstText(message['threadId'])
  lists.addNew(channelKey, key)
  yield* limited(
    {
      kind: 'message',
      key,
      channelKey,
      parentKey: lists.has(channelKey, parentKey) ? parentKey : null,
      authorKey,
      createdAt,
      editedAt,
      deletedAt,
      content: parleyText(textOf(message['content']), {
        personOf: (name) => mentioned.get(name),
        channelOf: (name) => channels.get(name),
        hasBroadcast: message['broadcast'] !== null,
      }),
      ...(earlier.length > 0 && { earlier }),
      ...(pin && { pin }),
      reactions,
      files: filesOf(message, reading),
    },
    report,
  )
}

/** Keys of the mentioned people by username. A mentioned group isn't imported, so its name stays text. */
function mentionedIn(message: Fields) {
  const people = objectsOf(message['mentions']).filter((it) => it['isGroup'] !== true && textOf(it['userId']) !== '')
  return new Map(people.map((it) => [textOf(it['username']).toLowerCase(), textOf(it['userId'])]))
}

function pinOf({ pinnedAt, pinnedBy }: Fields): MessageRecord['pin'] {
  if (firstText(pinnedAt) === '') return undefined
  return { at: timeOfText(pinnedAt), personKey: firstText(pinnedBy) || null }
}

/** The export lists the mentions of the current text only, so people are found by their usernames as well. */
function earlierOf(message: Fields, { usernames, channels }: Reading, mentioned: Map<string, string>) {
  const names = {
    personOf: (name: string) => mentioned.get(name) ?? usernames.get(name),
    channelOf: (name: string) => channels.get(name),
    hasBroadcast: false,
  }
  return objectsOf(message['earlier']).flatMap((version) => {
    const writtenAt = timeOfText(version['writtenAt'])
    return writtenAt === null ? [] : [{ content: parleyText(textOf(version['content']), names), writtenAt }]
  })
}

const filesOf = (message: Fields, { archive, root, names, report }: Reading): MessageRecord['files'] =>
  objectsOf(message['files']).map((file) => {
    const path = root + textOf(file['path'])
    if (!names.has(path)) report.add('missingFile', textOf(file['name']))
    return {
      key: textOf(file['id']),
      name: textOf(file['name']),
      size: sizeOf(file['size']),
      createdAt: timeOfText(file['createdAt']),
      open: names.has(path) ? () => archive.open(path) : null,
    }
  })
