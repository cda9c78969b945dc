import { PUBLIC_FILES } from '#contract/channel-name'
import { ASSISTANT } from '#contract/ids'
import { MAX_CHANNELS, MAX_PEOPLE } from '../../archive/bounds.ts'
import { readLines, readSmallJson } from '../../archive/read-json.ts'
import { ImportProblem } from '../../import-problem.ts'
import type { ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../../records.ts'
import { BoundedMap } from '../common/bounded-map.ts'
import { DiskLists } from '../common/disk-lists.ts'
import { folderOf, namesIn } from '../common/entries.ts'
import { MemberCount } from '../common/member-count.ts'
import { People } from '../common/people.ts'
import { type Fields, fieldsOf, firstText, textOf, textsOf, timeOfText } from '../common/values.ts'
import { readEmoji } from './parley-emoji.ts'
import { readMessage } from './parley-messages.ts'
import type { Reading } from './parley-reading.ts'

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
  async function* lines(name: string): AsyncGenerator<Fields> {
    if (!names.has(root + name)) return report.add('missingFile', name)
    for await (const { number, value } of readLines(archive, root + name)) {
      if (value === undefined) report.add('damagedLine', `${name}: line ${number}`)
      else yield fieldsOf(value)
    }
  }
  const known = {
    usernames: new BoundedMap<string>(MAX_PEOPLE, 'tooManyPeople'),
    channels: new BoundedMap<string>(MAX_CHANNELS, 'tooManyChannels'),
  }
  const reading: Reading = { archive, root, names, people: new People(report), report, lines, ...known }
  yield* readPeople(reading)
  yield* readEmoji(reading)
  const keys = new BoundedMap<null>(MAX_CHANNELS, 'tooManyChannels')
  const members = new MemberCount()
  for await (const record of readChannels(reading)) {
    if (record.kind === 'channel') {
      keys.set(record.key, null)
      members.add(record.memberKeys)
    }
    yield record
  }
  // Texts also refer to later channels.
  const lists = await DiskLists.open()
  try {
    for (const key of keys.keys())
      for await (const message of lines(`data/messages/${key}.jsonl`)) yield* readMessage(reading, key, message, lists)
  } finally {
    await lists.close()
  }
  if (names.has(`${root}data/my-messages.jsonl`)) report.add('unknownFile', 'data/my-messages.jsonl')
}

async function* readPeople({ lines, people, usernames }: Reading): AsyncGenerator<ImportRecord> {
  for await (const line of lines('data/people.jsonl')) {
    const [key, username] = [textOf(line['id']), textOf(line['username'])]
    usernames.set(username.toLowerCase(), key)
    yield* people.add({
      kind: 'person',
      key,
      username,
      name: firstText(line['name'], line['username']),
      email: firstText(line['email']) || null,
      isBot: key === ASSISTANT,
      isDeactivated: typeof line['deactivatedAt'] === 'string',
    })
  }
}

async function* readChannels({ lines, people, channels, report }: Reading): AsyncGenerator<ImportRecord> {
  for await (const line of lines('data/channels.jsonl')) {
    const key = textOf(line['id'])
    for await (const file of lines(`data/files/${key}.jsonl`))
      if (file['messageId'] === null) report.add('unknownFile', textOf(file['path']))
    // Contains only files without a message, and exists in every workspace.
    if (line['name'] === PUBLIC_FILES) continue
    const kind = textOf(line['kind'])
    const memberKeys = textsOf(line['memberIds'])
    if (kind !== 'direct') channels.set(textOf(line['name']).toLowerCase(), key)
    const ownerKey = firstText(line['ownerId']) || null
    for (const person of ownerKey ? [ownerKey, ...memberKeys] : memberKeys) yield* people.stranger(person)
    const isArchived = firstText(line['archivedAt']) !== ''
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
      ...(isArchived && { archived: timeOfText(line['archivedAt']) ?? true }),
    }
  }
}
