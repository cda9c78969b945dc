import { readTables } from '../../archive/read-json.ts'
import type {
  ContentPart,
  ImportArchive,
  ImportReader,
  ImportRecord,
  OmissionReport,
  ReadChoices,
} from '../../records.ts'
import { folderOf, namesIn } from '../common/entries.ts'
import { type DraftFile, Findings, noMessage } from '../common/findings.ts'
import { type Fields, fieldsOf, firstText, listOf, sizeOf, textOf } from '../common/values.ts'
import { Realm } from './realm.ts'
import { Topics } from './topics.ts'
import { historyOf } from './zulip-history.ts'
import { withoutUploads, zulipContent } from './zulip-text.ts'
import { timeOf } from './zulip-times.ts'

/**
 * Zulip's export of an organization. A topic becomes a thread: its first message starts with the topic's name, and the others are
 * replies. So a topic is read as a whole, as in Zulip, and the channel lists its topics. By choice, each becomes a channel instead.
 * Messages without a topic stay in the channel.
 */
export const zulipReader: ImportReader = {
  format: 'zulip',
  recognizes: async (archive) =>
    folderOf(archive, 'realm.json') !== undefined && archive.entries.some(({ name }) => MESSAGES.test(name)),
  /** All ids are numbered from one in each organization or server. */
  async workspaceOf(archive) {
    const realm = `${folderOf(archive, 'realm.json') ?? ''}realm.json`
    for await (const { table, value } of readTables(archive, realm)) {
      const { uuid, string_id, date_created } = fieldsOf(value)
      if (table === 'zerver_realm') return firstText(uuid, `${textOf(string_id)} ${textOf(date_created)}`)
    }
    return ''
  },
  read,
}

/** The list of messages' files. */
const FILES = 'files'
const MESSAGES = /(^|\/)messages-\d+\.json$/

async function* read(
  archive: ImportArchive,
  report: OmissionReport,
  { topics }: ReadChoices = {},
): AsyncGenerator<ImportRecord> {
  const findings = await Findings.open()
  try {
    const root = folderOf(archive, 'realm.json') ?? ''
    const realm = new Realm(archive, root, findings, report)
    for await (const { table, value } of readTables(archive, `${root}realm.json`)) realm.row(table, fieldsOf(value))
    realm.finish()
    const reading = new Reading({ archive, root, realm, findings, report, topics: new Topics(findings, topics) })
    const names = namesIn(archive, root)
    if (names.includes(`${root}attachment.json`))
      for await (const { table, value } of readTables(archive, `${root}attachment.json`))
        if (table === 'zerver_attachment') reading.attachment(fieldsOf(value))
    for (const name of names.filter((it) => MESSAGES.test(it)).sort())
      for await (const { table, value } of readTables(archive, name))
        if (table === 'zerver_message') await reading.message(fieldsOf(value))
    reading.finish()
    yield* findings.records(archive, report)
  } finally {
    await findings.close()
  }
}

interface Source {
  archive: ImportArchive
  root: string
  realm: Realm
  findings: Findings
  report: OmissionReport
  topics: Topics
}

/** Turns messages into findings. */
class Reading {
  readonly #source: Source
  readonly #sizes: Map<string, number>

  constructor(source: Source) {
    this.#source = source
    this.#sizes = new Map(source.archive.entries.map(({ name, size }) => [name, size]))
  }

  attachment(row: Fields) {
    const { root, report, findings } = this.#source
    const { lists } = findings
    const path = textOf(row['path_id'])
    const name = textOf(row['file_name'])
    const entry = `${root}uploads/${path}`
    const size = this.#sizes.get(entry)
    if (size === undefined) report.add('missingFile', name)
    const file: DraftFile = {
      key: path,
      name,
      size: size ?? sizeOf(row['size']),
      createdAt: timeOf(row['create_time']),
      entry: size === undefined ? null : entry,
    }
    for (const message of listOf(row['messages'])) {
      const id = textOf(message)
      lists.add(FILES, id, { ...file, key: `${path}@${id}` })
    }
  }

  async message(row: Fields) {
    const { realm, findings, report, topics } = this.#source
    const id = textOf(row['id'])
    const authorKey = textOf(row['sender'])
    const sentTo = authorKey && realm.channelOf(textOf(row['recipient']), authorKey)
    const createdAt = timeOf(row['date_sent'])
    if (!id || !authorKey || !createdAt || !sentTo) return report.add('unknownMessage', id)
    if (findings.hasMessage(id)) return
    const files = findings.lists.all<DraftFile>(FILES, id)
    const { channelKey, parentKey, heading } = topics.placeOf({
      ...{ id, authorKey, createdAt, sentTo },
      topic: textOf(row['subject']),
    })
    const paths = new Set(files.map(({ key }) => key.replace(/@\d+$/, '')))
    const contentOf = (text: string): ContentPart[] => [
      ...heading,
      ...zulipContent(withoutUploads(text, paths), realm.named, topics.linkTo),
    ]
    const { earlier, editedAt } = historyOf(row['edit_history'], createdAt)
    await findings.addMessage({
      ...noMessage,
      key: id,
      channelKey,
      parentKey,
      authorKey,
      createdAt,
      editedAt: editedAt === undefined ? timeOf(row['last_edit_time']) : editedAt,
      content: contentOf(textOf(row['content'])),
      ...(earlier.length > 0 && {
        earlier: earlier.map(({ text, writtenAt }) => ({ content: contentOf(text), writtenAt })),
      }),
      reactions: realm.reactionsTo(id),
      files,
    })
  }

  /** To be called after the last message. */
  finish = () => this.#source.topics.finish()
}
