import { PUBLIC_FILES } from '#contract/channel-name'
import { ASSISTANT } from '#contract/ids'
import { readLines, readSmallJson } from '../archive/read-json.ts'
import { ImportProblem } from '../import-problem.ts'
import type { ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../records.ts'
import { folderOf, namesIn } from './common/entries.ts'
import { limited } from './common/limited.ts'
import { People } from './common/people.ts'
import { type Fields, fieldsOf, firstText, objectsOf, sizeOf, textOf, textsOf, timeOfText } from './common/values.ts'
import { parleyText } from './parley-text.ts'

const VERSION = 1

/** Parley's own export. */
export const parleyReader: ImportReader = {
  format: 'parley',
  recognizes: async (archive) =>
    folderOf(archive, 'data/people.jsonl') !== undefined && folderOf(archive, 'manifest.json') !== undefined,
  read,
}

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const root = folderOf(archive, 'data/people.jsonl') ?? ''
  const manifest = fieldsOf(await readSmallJson(archive, `${root}manifest.json`))
  if (manifest['format'] !== 'parley-export') throw new ImportProblem('unknownFormat')
  if (manifest['version'] !== VERSION) throw new ImportProblem('newerVersion')
  const names = new Set(namesIn(archive, root))
  const people = new People(report)
  async function* lines(name: string): AsyncGenerator<Fields> {
    if (!names.has(root + name)) return report.add('missingFile', name)
    for await (const { number, value } of readLines(archive, root + name)) {
      if (value === undefined) report.add('damagedLine', `${name}: line ${number}`)
      else yield fieldsOf(value)
    }
  }
  for await (const line of lines('data/people.jsonl')) {
    yield* people.add({
      kind: 'person',
      key: textOf(line['id']),
      username: textOf(line['username']),
      name: firstText(line['name'], line['username']),
      email: firstText(line['email']) || null,
      isBot: textOf(line['id']) === ASSISTANT,
      isDeactivated: typeof line['deactivatedAt'] === 'string',
    })
  }
  const keys: string[] = []
  /** By lower-case name. */
  const channels = new Map<string, string>()
  for await (const line of lines('data/channels.jsonl')) {
    const key = textOf(line['id'])
    for await (const file of lines(`data/files/${key}.jsonl`))
      if (file['messageId'] === null) report.add('unknownFile', textOf(file['path']))
    // Contains only files without a message, and exists in every workspace.
    if (line['name'] === PUBLIC_FILES) continue
    const kind = textOf(line['kind'])
    const memberKeys = textsOf(line['memberIds'])
    keys.push(key)
    if (kind !== 'direct') channels.set(textOf(line['name']).toLowerCase(), key)
    const ownerKey = firstText(line['ownerId']) || null
    for (const person of ownerKey ? [ownerKey, ...memberKeys] : memberKeys) yield* people.stranger(person)
    yield {
      kind: 'channel',
      key,
      // What is not known to be public must stay private.
      visibility: kind === 'public' || kind === 'direct' ? kind : 'private',
      name: textOf(line['name']),
      topic: textOf(line['topic']),
      ownerKey,
      createdAt: timeOfText(line['createdAt']),
      memberKeys,
    }
  }
  // Texts also refer to later channels.
  for (const key of keys) {
    const written = new Set<string>()
    for await (const message of lines(`data/messages/${key}.jsonl`))
      yield* readMessage({ message, key, archive, root, names, people, channels, written, report })
  }
  if (names.has(`${root}data/my-messages.jsonl`)) report.add('unknownFile', 'data/my-messages.jsonl')
}

interface Line {
  message: Fields
  key: string
  archive: ImportArchive
  root: string
  names: Set<string>
  people: People
  channels: Map<string, string>
  written: Set<string>
  report: OmissionReport
}

function* readMessage(line: Line) {
  const { message, key: channelKey, archive, root, names, people, channels, written, report } = line
  const [key, authorKey] = [textOf(message['id']), textOf(message['userId'])]
  const createdAt = timeOfText(message['createdAt'])
  if (!key || !authorKey || !createdAt) return report.add('unknownMessage', key)
  const mentioned = new Map(
    objectsOf(message['mentions']).map((it) => [textOf(it['username']).toLowerCase(), textOf(it['userId'])]),
  )
  const reactions = objectsOf(message['reactions']).map((it) => ({
    emoji: textOf(it['emoji']),
    personKeys: textsOf(it['userIds']),
  }))
  for (const person of [authorKey, ...mentioned.values(), ...reactions.flatMap(({ personKeys }) => personKeys)])
    yield* people.stranger(person)
  const parentKey = firstText(message['threadId'])
  written.add(key)
  yield* limited(
    {
      kind: 'message',
      key,
      channelKey,
      parentKey: written.has(parentKey) ? parentKey : null,
      authorKey,
      createdAt,
      editedAt: timeOfText(message['editedAt']),
      deletedAt: timeOfText(message['deletedAt']),
      content: parleyText(textOf(message['content']), {
        personOf: (name) => mentioned.get(name),
        channelOf: (name) => channels.get(name),
        hasBroadcast: message['broadcast'] !== null,
      }),
      reactions,
      files: objectsOf(message['files']).map((file) => {
        const path = root + textOf(file['path'])
        if (!names.has(path)) report.add('missingFile', textOf(file['name']))
        return {
          key: textOf(file['id']),
          name: textOf(file['name']),
          size: sizeOf(file['size']),
          createdAt: timeOfText(file['createdAt']),
          open: names.has(path) ? () => archive.open(path) : null,
        }
      }),
    },
    report,
  )
}
