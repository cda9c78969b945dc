import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { othersIn } from '../cache/channel-title.ts'

/**
 * The sentences at the start of a conversation: whose it is, since when, and who reads it.
 * @param owner the owner's name, if known
 * @param day when it was created, such as 'today' or 'on November 12'
 */
export function beginningText(channel: Channel, me: string, owner: string | undefined, day: string): string[] {
  if (channel.kind === 'direct') return directText(channel, me)
  const { name, ownerId, isGeneral, isPrivate } = channel
  const start = `This is the start of #${name}.`
  if (isGeneral) return [start, 'Everyone in this workspace is here.']
  const created = `created ${day}`
  return [
    start,
    ownedBy(ownerId === me ? 'You own' : owner && `${owner} owns`, created),
    membersText(channel),
    ...(isPrivate ? ['Only invited people can see it.'] : []),
  ]
}

const ownedBy = (owns: string | undefined, created: string) =>
  owns ? `${owns} this channel, ${created}.` : `It was ${created}.`

function membersText({ isMember, _count: { members } }: Channel) {
  if (members === 1) return isMember ? 'Nobody else is here yet.' : '1 person is here.'
  return `${members} people are here.`
}

function directText(channel: Channel, me: string) {
  const others = othersIn(channel, me)
  const [first] = others
  if (others.length === 1 && first?.id === ASSISTANT) return ['Ask about anything said in your channels.']
  const start = 'This is the start of your conversation'
  if (others.length === 1) return [`${start} with ${first?.name}.`, 'Only the two of you can read it.']
  return [`${start} with ${listOf(others)}.`, `Only the ${others.length + 1} of you can read it.`]
}

const listOf = (people: { name: string }[]) => new Intl.ListFormat('en').format(people.map(({ name }) => name))
