import { expect, it } from 'vitest'
import { type Contents, readAll } from '../test/support/import-archive.ts'
import { mattermostReader } from './readers/mattermost.ts'
import { rocketchatReader } from './readers/rocketchat/rocketchat.ts'
import { zulipReader } from './readers/zulip/zulip.ts'
import type { ImportReader } from './records.ts'
import { withWorkspaceKeys } from './workspace-keys.ts'

const zulip = (uuid: string): Contents => ({
  'realm.json': {
    zerver_realm: [{ id: 1, uuid }],
    zerver_userprofile: [{ id: 8, full_name: 'Ada', delivery_email: `ada@${uuid}.example`, is_active: true }],
    zerver_stream: [{ id: 5, name: 'general', invite_only: false, creator: 8 }],
    zerver_recipient: [{ id: 50, type: 2, type_id: 5 }],
    zerver_subscription: [{ recipient: 50, user_profile: 8, active: true }],
    zerver_reaction: [
      { message: 9, user_profile: 8, emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    ],
  },
  'messages-000001.json': {
    zerver_message: [
      { id: 9, sender: 8, recipient: 50, subject: 'a', content: '@**Ada** #**general**', date_sent: 1_706_000_000 },
      { id: 10, sender: 8, recipient: 50, subject: 'a', content: 'reply', date_sent: 1_706_000_001 },
    ],
  },
})
const mattermost = (domain: string): Contents => ({
  'import.jsonl': [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'crew' } },
    { type: 'channel', channel: { team: 'crew', name: 'town', display_name: 'Town', type: 'O' } },
    { type: 'user', user: { username: 'ada', email: `a@${domain}`, teams: [] } },
    { type: 'user', user: { username: 'guest', email: 'g@mail.example', teams: [] } },
    { type: 'user', user: { username: 'bob', email: `b@${domain}`, teams: [] } },
    {
      type: 'post',
      post: { team: 'crew', channel: 'town', user: 'bob', message: 'hi @ada', create_at: 1_706_000_000_000 },
    },
  ]
    .map((it) => JSON.stringify(it))
    .join('\n'),
})

/** Ids are random, except that of the first room. */
const rocketchat = (workspace: string): Contents => ({
  'users.json': [{ _id: `u-${workspace}`, username: 'ada', active: true }],
  'rocketchat_room.json': [
    {
      _id: 'GENERAL',
      t: 'c',
      name: 'general',
      ts: { $date: `2024-01-0${workspace === 'one.example' ? 1 : 2}T10:00:00Z` },
    },
  ],
  'rocketchat_subscription.json': [{ rid: 'GENERAL', u: { _id: `u-${workspace}` } }],
  'rocketchat_message.json': [
    {
      ...{ _id: `m-${workspace}`, rid: 'GENERAL', msg: 'in #general', u: { _id: `u-${workspace}` } },
      ts: { $date: '2024-01-23T08:53:20Z' },
    },
    {
      ...{ _id: `n-${workspace}`, rid: 'GENERAL', msg: 'yes', tmid: `m-${workspace}`, u: { _id: `u-${workspace}` } },
      ts: { $date: '2024-01-23T08:53:21Z' },
    },
  ],
})

it.each([
  ['Zulip', zulipReader, zulip],
  ['Mattermost', mattermostReader, mattermost],
  ['Rocket.Chat', rocketchatReader, rocketchat],
] as [string, ImportReader, (workspace: string) => Contents][])(
  'keys of two workspaces of %s never collide, and those of one are stable',
  async (_, reader, archive) => {
    const keysOf = async (workspace: string) => {
      const { people, channels, messages } = await readAll(withWorkspaceKeys(reader), archive(workspace))
      const known = new Set([...people, ...channels, ...messages].map(({ key }) => key))
      const named = [
        ...channels.flatMap(({ ownerKey, memberKeys }) => [ownerKey, ...memberKeys]),
        ...messages.flatMap(({ channelKey, parentKey, authorKey, reactions, content }) => [
          ...[channelKey, parentKey, authorKey, ...reactions.flatMap(({ personKeys }) => personKeys)],
          ...content.flatMap((part) => ('person' in part ? part.person : 'channel' in part ? part.channel : [])),
        ]),
      ]
      expect(named.filter((key) => key !== null && !known.has(key))).toEqual([])
      expect(known.size).toBeGreaterThan(2)
      return known
    }
    const [one, other] = [await keysOf('one.example'), await keysOf('other.example')]
    expect([...one].filter((key) => other.has(key))).toEqual([])
    expect(await keysOf('one.example')).toEqual(one)
  },
)
