import type { Channel } from '#contract/channels'
import { ASSISTANT } from '#contract/ids'
import { t } from '../../../i18n/text.ts'
import { shownName } from '../../../people/shown-name.ts'

/** The people of a direct message besides me, the assistant last. */
export const othersIn = ({ members }: Channel, me: string) =>
  members
    .filter(({ id }) => id !== me)
    .sort((a, b) => Number(a.id === ASSISTANT) - Number(b.id === ASSISTANT))
    .map((person) => ({ ...person, name: shownName(person.name) }))

/** The name of a group, such as 'Ada, Bob'. */
export const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name).join(t('ui.listComma'))

/** A conversation's name in a sentence or a title. */
export function titleOf(channel: Channel, me: string) {
  if (channel.kind !== 'direct') return `#${channel.name}`
  const others = othersIn(channel, me)
  return (others.length === 1 ? '@' : '') + namesOf(others)
}
