import { MAX_CHANNELS } from '../../archive/bounds.ts'
import { readElements } from '../../archive/read-json.ts'
import type { ChannelRecord, ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../../records.ts'
import { BoundedMap } from '../common/bounded-map.ts'
import { DiskLists } from '../common/disk-lists.ts'
import { folderOf, namesIn } from '../common/entries.ts'
import { MemberCount } from '../common/member-count.ts'
import { People } from '../common/people.ts'
import {
  entryOf,
  type Fields,
  fieldsOf,
  firstText,
  objectsOf,
  textOf,
  textsOf,
  timeOfSeconds,
} from '../common/values.ts'
import { readSlackEmoji } from './slack-emoji.ts'
import { filesById } from './slack-files.ts'
import { readChannel } from './slack-messages.ts'
import { listPins } from './slack-pins.ts'

/** Slack's export: lists of people and channels, and a folder per channel with one file per day. */
export const slackReader: ImportReader = {
  format: 'slack',
  recognizes: async (archive) =>
    folderOf(archive, 'users.json') !== undefined &&
    archive.entries.some(({ name }) => /(^|\/)(channels|groups|dms|mpims)\.json$/.test(name)),
  read,
}

/** Lists of conversations, and who may read them. */
const LISTS = {
  'channels.json': 'public',
  'groups.json': 'private',
  'mpims.json': 'direct',
  'dms.json': 'direct',
} as const

interface Conversation {
  folder: string
  channel: ChannelRecord
}

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})[^/]*\.json$/

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const lists = await DiskLists.open()
  try {
    yield* readExport(archive, lists, report)
  } finally {
    await lists.close()
  }
}

async function* readExport(archive: ImportArchive, lists: DiskLists, report: OmissionReport) {
  const root = folderOf(archive, 'users.json') ?? ''
  const names = namesIn(archive, root)
  const people = new People(report)
  for await (const user of readElements(archive, `${root}users.json`)) yield* people.add(personOf(fieldsOf(user)))

  const emoji = await readSlackEmoji(archive, root)
  for (const record of emoji.values()) {
    if (record.authorKey !== null) yield* people.stranger(record.authorKey)
    yield record
  }
  const emojiNames = new Set([...emoji.values()].flatMap(({ key, aliases }) => [key, ...aliases]))

  const days = dayFiles(names, root)
  const conversations = await readConversations(archive, { root, names, days, lists, report })
  const files = filesById(archive, names, root)
  for (const { folder, channel } of conversations) {
    for (const key of [...channel.memberKeys, channel.ownerKey ?? ''].filter(Boolean)) yield* people.stranger(key)
    yield channel
    const own = days.get(folder) ?? days.get(channel.key) ?? []
    yield* readChannel({ archive, report, people, lists, files, emojiNames, channel, days: own })
  }
}

interface Listing {
  root: string
  names: string[]
  days: Map<string, string[]>
  lists: DiskLists
  report: OmissionReport
}

/** Those in the lists, then those that only have a folder. */
async function readConversations(archive: ImportArchive, { root, names, days, lists, report }: Listing) {
  const conversations = new BoundedMap<Conversation>(MAX_CHANNELS, 'tooManyChannels')
  const members = new MemberCount()
  const add = (conversation: Conversation) => {
    members.add(conversation.channel.memberKeys)
    conversations.set(conversation.channel.key, conversation)
  }
  for (const [list, visibility] of Object.entries(LISTS)) {
    if (!names.includes(root + list)) continue
    for await (const value of readElements(archive, root + list)) {
      const fields = fieldsOf(value)
      const channel = channelOf(fields, visibility, report)
      if (!channel.key || conversations.has(channel.key)) continue
      listPins(lists, fields, channel, report)
      add({ folder: channel.visibility === 'direct' && !fields['name'] ? channel.key : channel.name, channel })
    }
  }
  const known = new Set([...conversations.values()].flatMap(({ folder, channel }) => [folder, channel.key]))
  for (const folder of days.keys()) {
    if (known.has(folder)) continue
    report.add('unknownFile', `${folder}/`)
    add({ folder, channel: channelOf({ id: folder, name: folder }, 'private', report) })
  }
  return conversations.values()
}

/** The daily files of each folder, in order. */
function dayFiles(names: string[], root: string): Map<string, string[]> {
  const days = new Map<string, string[]>()
  for (const name of names) {
    const [folder = '', file = '', ...more] = name.slice(root.length).split('/')
    if (more.length > 0 || !DAY_FILE.test(file)) continue
    entryOf(days, folder, () => []).push(name)
  }
  for (const own of days.values()) own.sort()
  return days
}

function personOf(user: Fields) {
  const profile = fieldsOf(user['profile'])
  const key = textOf(user['id'])
  return {
    kind: 'person' as const,
    key,
    username: firstText(user['name'], profile['display_name'], key),
    name: firstText(profile['display_name'], profile['real_name'], user['real_name'], user['name'], key),
    email: firstText(profile['email']) || null,
    isBot: user['is_bot'] === true || key === 'USLACKBOT',
    isDeactivated: user['deleted'] === true,
  }
}

function channelOf(fields: Fields, listed: ChannelRecord['visibility'], report: OmissionReport): ChannelRecord {
  const visibility =
    fields['is_im'] || fields['is_mpim'] ? 'direct' : fields['is_private'] && listed === 'public' ? 'private' : listed
  const name = firstText(fields['name'], fields['id'])
  if (objectsOf(fields['bookmarks']).length > 0) report.add('bookmarks', name)
  const purpose = firstText(fieldsOf(fields['topic'])['value'], fieldsOf(fields['purpose'])['value'])
  return {
    kind: 'channel',
    key: textOf(fields['id']),
    visibility,
    name,
    topic: purpose,
    ownerKey: firstText(fields['creator']) || null,
    createdAt: timeOfSeconds(fields['created']),
    memberKeys: [...new Set(textsOf(fields['members']))],
    // The archive doesn't say since when.
    ...(fields['is_archived'] === true && { archived: true }),
  }
}
