import { readElements } from '../../archive/read-json.ts'
import type { ChannelRecord, ImportArchive, ImportReader, ImportRecord, OmissionReport } from '../../records.ts'
import { folderOf, namesIn } from '../common/entries.ts'
import { People } from '../common/people.ts'
import { type Fields, fieldsOf, firstText, objectsOf, textOf, textsOf, timeOfSeconds } from '../common/values.ts'
import { filesById } from './slack-files.ts'
import { readChannel } from './slack-messages.ts'

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

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})[^/]*\.json$/

async function* read(archive: ImportArchive, report: OmissionReport): AsyncGenerator<ImportRecord> {
  const root = folderOf(archive, 'users.json') ?? ''
  const names = namesIn(archive, root)
  const people = new People(report)
  for await (const user of readElements(archive, `${root}users.json`)) yield* people.add(personOf(fieldsOf(user)))

  const conversations: { folder: string; channel: ChannelRecord }[] = []
  for (const [list, visibility] of Object.entries(LISTS)) {
    if (!names.includes(root + list)) continue
    for await (const value of readElements(archive, root + list)) {
      const fields = fieldsOf(value)
      const channel = channelOf(fields, visibility, report)
      if (!channel.key) continue
      conversations.push({
        folder: channel.visibility === 'direct' && !fields['name'] ? channel.key : channel.name,
        channel,
      })
    }
  }
  const days = dayFiles(names, root)
  for (const folder of days.keys()) {
    if (conversations.some(({ folder: known, channel }) => known === folder || channel.key === folder)) continue
    report.add('unknownFile', `${folder}/`)
    conversations.push({ folder, channel: { ...channelOf({ id: folder, name: folder }, 'private', report) } })
  }
  const files = filesById(archive, names, root)
  for (const { folder, channel } of conversations) {
    for (const key of [...channel.memberKeys, channel.ownerKey ?? ''].filter(Boolean)) yield* people.stranger(key)
    yield channel
    const own = days.get(folder) ?? days.get(channel.key) ?? []
    yield* readChannel({ archive, report, people, files, channel, days: own })
  }
}

/** The daily files of each folder, in order. */
function dayFiles(names: string[], root: string): Map<string, string[]> {
  const days = new Map<string, string[]>()
  for (const name of names) {
    const [folder = '', file = '', ...more] = name.slice(root.length).split('/')
    if (more.length > 0 || !DAY_FILE.test(file)) continue
    days.set(folder, [...(days.get(folder) ?? []), name])
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
  if (fields['is_archived']) report.add('archivedChannel', name)
  for (const _ of objectsOf(fields['pins'])) report.add('pins', name)
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
  }
}
