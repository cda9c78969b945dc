import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test } from 'vitest'
import { DELETED_NAME } from '#contract/deleted-accounts'
import { limits } from '#contract/limits'
import type { Profile } from '#contract/users'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { allUsers, applyUserUpdate, profileOf } from '../people/user-queries.ts'
import { aChannel } from '../test/a-channel.ts'
import { Avatar } from '../ui/avatar.tsx'
import { knownPicture } from '../ui/pictures.ts'
import { followPictures, recheckPictures } from './follow-pictures.ts'

const person = (id: string, avatarUrl: string | null = `/api/avatars/${id}/1/256`, color = 0): Profile => ({
  ...{ id, username: id, name: id, status: 'online', user_status: '😊', deactivatedAt: null },
  ...{ avatarUrl, color },
})
const full = Array.from({ length: limits.people }, (_, n) => person(`p${n}`, null))
const colorOf = (id: string) => /background:([^"]+)/.exec(renderToStaticMarkup(createElement(Avatar, { id, name: id })))

let client: QueryClient
const list = (people: Profile[]) => client.setQueryData(allUsers.queryKey, people)
beforeEach(() => {
  client?.clear()
  client = new QueryClient()
  followPictures(client)
})

test('the picture of a deleted account is forgotten with the event', () => {
  list([person('ada'), person('bob')])
  applyUserUpdate(client, { id: 'ada', username: 'gone', name: DELETED_NAME, avatarUrl: null, peopleVersion: 2 })
  expect([knownPicture('ada'), knownPicture('bob')]).toEqual([undefined, '/api/avatars/bob/1/256'])
})

test('changed and removed pictures of people beyond the directory are noted, though their profile is no longer cached', () => {
  list(full)
  client.setQueryData(profileOf('zoe').queryKey, person('zoe'))
  client.removeQueries({ queryKey: profileOf('zoe').queryKey })
  const zoe = { id: 'zoe', username: 'zoe', name: 'zoe', peopleVersion: 2 }
  applyUserUpdate(client, { ...zoe, avatarUrl: '/api/avatars/zoe/2/256' })
  expect(knownPicture('zoe')).toBe('/api/avatars/zoe/2/256')
  applyUserUpdate(client, zoe)
  expect(knownPicture('zoe')).toBe('/api/avatars/zoe/2/256')
  applyUserUpdate(client, { ...zoe, avatarUrl: null })
  expect(knownPicture('zoe')).toBeUndefined()
})

test('a changed colour is noted, and a later change of the directory keeps it', () => {
  list([person('ada'), person('bob')])
  const before = colorOf('ada')?.[1]
  applyUserUpdate(client, { ...{ id: 'ada', username: 'ada', name: 'ada' }, color: 3, peopleVersion: 2 })
  const after = colorOf('ada')?.[1]
  expect(after).not.toBe(before)
  client.setQueryData(allUsers.queryKey, (people) => people?.map((it) => ({ ...it, status: 'offline' as const })))
  expect(colorOf('ada')?.[1]).toBe(after)
})

test('an outdated search in the cache brings no picture back when it is fetched again', () => {
  list([person('ada')])
  const like = { queryKey: ['users', 'like', 'a'], queryFn: () => new Promise<Profile[]>(() => {}) }
  client.setQueryData(like.queryKey, [person('ada')])
  applyUserUpdate(client, { ...{ id: 'ada', username: 'ada', name: 'ada' }, avatarUrl: null, peopleVersion: 2 })
  client.fetchQuery({ ...like, staleTime: 0 }).catch(() => {})
  expect(knownPicture('ada')).toBeUndefined()
})

test('people who are no longer in the directory, or only in an older list of conversations, have no picture', () => {
  client.setQueryData(allChannels.queryKey, {
    c: aChannel({ kind: 'direct', members: [person('ada'), person('bob')] }),
  })
  expect(knownPicture('ada')).toBeDefined()
  list([person('bob'), person('eve')])
  expect([knownPicture('ada'), knownPicture('bob')]).toEqual([undefined, '/api/avatars/bob/1/256'])
  list([person('bob')])
  expect(knownPicture('eve')).toBeUndefined()
})

test('after a lost connection the pictures of people beyond the directory are unknown again', () => {
  list([...full.slice(1), person('bob')])
  client.setQueryData(profileOf('zoe').queryKey, person('zoe'))
  list([...full.slice(1), person('bob')])
  expect(knownPicture('zoe')).toBeDefined()
  recheckPictures(client)
  expect([knownPicture('zoe'), knownPicture('bob')]).toEqual([undefined, '/api/avatars/bob/1/256'])
})

test('when the user changes, all pictures are forgotten', () => {
  client.setQueryData(allChannels.queryKey, { c: aChannel({ kind: 'direct', members: [person('ada')] }) })
  expect(knownPicture('ada')).toBeDefined()
  client.clear()
  expect(knownPicture('ada')).toBeUndefined()
  list([person('ada')])
  client.clear()
  expect(knownPicture('ada')).toBeUndefined()
})
