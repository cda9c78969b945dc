import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { beginningText } from './beginning-text.ts'

const channel = (facts: Partial<Channel>) =>
  ({
    kind: 'public',
    name: 'launch',
    isPrivate: false,
    isGeneral: false,
    ownerId: 'ada',
    isMember: true,
    members: [],
    _count: { members: 5 },
    ...facts,
  }) as unknown as Channel

const person = (id: string, name: string) => ({ id, name, username: id }) as Channel['members'][number]
const [ada, bob, mei] = [person('ada', 'Ada'), person('bob', 'Bob'), person('mei', 'Mei')] as const

const textFor = (facts: Partial<Channel>, me = 'ada', owner?: string) =>
  beginningText(channel(facts), me, owner, 'today').join(' ')

test.each<[string, Partial<Channel>, string, string | undefined, string]>([
  [
    'my own, alone',
    { _count: { members: 1 } },
    'ada',
    undefined,
    'This is the start of #launch. You own this channel, created today. Nobody else is here yet.',
  ],
  [
    "someone's private one",
    { kind: 'private', isPrivate: true },
    'bob',
    'Ada',
    'This is the start of #launch. Ada owns this channel, created today. 5 people are here. Only invited people can see it.',
  ],
  [
    'one that I have not joined, and whose owner I do not know',
    { isMember: false, _count: { members: 1 } },
    'bob',
    undefined,
    'This is the start of #launch. It was created today. 1 person is here.',
  ],
  [
    'the one for everyone',
    { isGeneral: true },
    'bob',
    undefined,
    'This is the start of #launch. Everyone in this workspace is here.',
  ],
  [
    'a direct message',
    { kind: 'direct', members: [ada, bob] },
    'ada',
    undefined,
    'This is the start of your conversation with Bob. Only the two of you can read it.',
  ],
  [
    'a group',
    { kind: 'direct', members: [ada, bob, mei] },
    'ada',
    undefined,
    'This is the start of your conversation with Bob and Mei. Only the three of you can read it.',
  ],
  [
    'the assistant',
    { kind: 'direct', members: [ada, person(ASSISTANT, 'Assistant')] },
    'ada',
    undefined,
    'Ask about anything said in your channels.',
  ],
])('%s', (_, facts, me, owner, expected) => expect(textFor(facts, me, owner)).toBe(expected))
