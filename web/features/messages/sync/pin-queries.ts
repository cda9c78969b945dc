import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Message } from '#contract/messages'
import { listPins } from '#contract/pins'
import type { Face } from '#contract/users'
import { call } from '../../../api-client/api.ts'
import { renamed, withNames } from '../../../cache/message-update.ts'
import { invalidate, patch } from '../../../cache/patch-query.ts'

/** The pinned messages and replies of a channel, last pinned first. */
export const pinsIn = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId, 'pins'] as const,
    queryFn: () => call(listPins, { params: { channelId } }),
  })

const isPins = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] === 'channel' && queryKey[2] === 'pins'

/** Adds, changes or removes a message that was pinned, unpinned, edited or deleted. */
export function applyPin(client: QueryClient, message: Message) {
  patch(client, pinsIn(message.channelId).queryKey, (pins) => withMessage(pins, message))
}

/** The same array if nothing changed. */
export function withMessage(pins: Message[], message: Message): Message[] {
  const held = pins.find(({ id }) => id === message.id)
  if (held ? held.rev >= message.rev : !message.pin) return pins
  const others = pins.filter((pin) => pin !== held)
  return message.pin ? [...others, message].sort(byPinTime) : others
}

/** As the server lists them. */
function byPinTime(a: Message, b: Message) {
  const [first, second] = [a.pin?.at ?? '', b.pin?.at ?? '']
  if (first !== second) return first > second ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** Renames a person in all lists. */
export function renameInPins(client: QueryClient, person: Face) {
  const nameOf = renamed(person)
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: isPins }))
    patch(client, pinsIn(queryKey[1] as string).queryKey, (pins) => {
      const renamed = pins.map((message) => withNames(message, nameOf))
      return renamed.every((message, n) => message === pins[n]) ? pins : renamed
    })
}

/** Fetches the list of a channel again, if it is shown, because events were lost. */
export const refetchPins = (client: QueryClient, channelId: string) =>
  void invalidate(client, { queryKey: pinsIn(channelId).queryKey })
