import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Message } from '#contract/messages'
import { applyToQuoted, forgetQuoted, quotedMessage, refetchUnreadable } from './quoted-messages.ts'

const message = (id: string, channelId: string, rev = 1) => ({ id, channelId, rev, content: `rev ${rev}` }) as Message

/** A cache with quoted messages, and the ids that are fetched again. */
function cacheWith(...held: [id: string, message: Message | null][]) {
  const client = new QueryClient()
  const fetched: string[] = []
  for (const [id, data] of held) {
    const { queryKey } = quotedMessage(id)
    client.setQueryData(queryKey, data)
    const queryFn = () => {
      fetched.push(id)
      return new Promise<never>(() => {})
    }
    new QueryObserver(client, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => {})
  }
  return { client, fetched, dataOf: (id: string) => client.getQueryData(quotedMessage(id).queryKey) }
}

test('what is quoted from a channel that I may no longer read vanishes at once, and is asked for again', () => {
  const { client, fetched, dataOf } = cacheWith(['a', message('a', 'secret')], ['b', message('b', 'open')], ['c', null])
  forgetQuoted(client, { channelId: 'secret' })
  expect(dataOf('a')).toBeUndefined()
  expect(dataOf('b')).toEqual(message('b', 'open'))
  expect(fetched).toEqual(['a'])
})

test('what I could not read is asked for again when I may', () => {
  const { client, fetched } = cacheWith(['a', message('a', 'open')], ['b', null])
  refetchUnreadable(client)
  expect(fetched).toEqual(['b'])
})

test('a quoted message follows newer changes only', () => {
  const { client, dataOf } = cacheWith(['a', message('a', 'open', 5)])
  applyToQuoted(client, message('a', 'open', 4))
  expect(dataOf('a')).toMatchObject({ rev: 5 })
  applyToQuoted(client, message('a', 'open', 6))
  expect(dataOf('a')).toMatchObject({ rev: 6 })
})
