import { expect, it } from 'vitest'
import { limits } from '#contract/limits'
import { readAll } from '../../test/support/import-archive.ts'
import { slackReader } from './slack/slack.ts'
import { zulipReader } from './zulip/zulip.ts'

/** So many that copying a list for each entry takes minutes. */
const MANY = 100_000
const each = <Item>(item: (index: number) => Item) => Array.from({ length: MANY }, (_, index) => item(index))

it('Slack: any number of entries of one reaction is read', async () => {
  const { messages, people } = await readAll(slackReader, {
    'users.json': [{ id: 'U1', name: 'ada' }, ...each((index) => ({ id: `U${index}`, name: `u${index}` }))],
    'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
    'general/2024-01-23.json': [
      {
        ...{ type: 'message', user: 'U1', ts: '1706000000.000100', text: 'hi' },
        reactions: each((index) => ({ name: 'wave', users: [`U${index}`] })),
      },
    ],
  })
  expect(messages[0]?.reactions.map(({ personKeys }) => personKeys.length)).toEqual([MANY])
  expect(people).toHaveLength(MANY)
})

it('Zulip: any number of subscribers, reactions and files is read', async () => {
  const { channels, messages } = await readAll(zulipReader, {
    'realm.json': {
      zerver_userprofile: each((index) => ({ id: index + 1, full_name: `U${index}` })),
      zerver_stream: [{ id: 5, name: 'general' }],
      zerver_recipient: [{ id: 50, type: 2, type_id: 5 }],
      zerver_subscription: each((index) => ({ recipient: 50, user_profile: index + 1 })),
      zerver_reaction: each((index) => ({
        ...{ message: 100, user_profile: index + 1, emoji_name: 'wave' },
        ...{ emoji_code: '1f44b', reaction_type: 'unicode_emoji' },
      })),
    },
    'attachment.json': {
      zerver_attachment: [{ id: 1, file_name: 'a.txt', path_id: 'a', size: 5, messages: each(() => 100) }],
    },
    'messages-000001.json': {
      zerver_message: [
        { id: 100, sender: 1, recipient: 50, subject: '', content: 'hi', date_sent: 1_706_000_000 },
        { id: 101, sender: 1, recipient: 50, subject: '', content: 'hi', date_sent: 1_706_000_001 },
      ],
    },
  })
  expect(channels[0]?.memberKeys).toHaveLength(MANY)
  expect(messages[0]?.reactions.map(({ personKeys }) => personKeys.length)).toEqual([MANY])
  expect(messages.filter(({ key }) => key.startsWith('100'))).toHaveLength(MANY / limits.attachments)
})
