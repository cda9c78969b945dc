import { beforeAll, describe, expect, test } from 'vitest'
import type { StoredFile } from '#contract/files'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { removeOrphanedBytes, sweepOnce } from '../../files/sweep-files.ts'
import { startBucket } from '../../test/services/bucket.ts'
import { PICTURE } from '../../test/support/fixture.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const namesOf = (files: StoredFile[]) => files.map(({ name }) => name)

describe.each(['disk', 's3'])('on %s', (store) => {
  let parley: Awaited<ReturnType<typeof startParley>>
  let root: Person
  let ada: Person
  let bob: Person
  let eve: Person

  beforeAll(async () => {
    const settings = store === 's3' ? (await startBucket()).settings() : {}
    parley = await startParley(settings)
    root = await parley.person('root')
    ada = await parley.person('ada')
    bob = await parley.person('bob')
    eve = await parley.person('eve')
  })

  const channel = async (name: string, isPrivate = true): Promise<string> =>
    (await ada.post('/api/channels', { name, isPrivate, members: [bob.id] })).body.id
  const list = async (person: Person, path = ''): Promise<StoredFile[]> => (await person.get(`/api/files${path}`)).body
  const keys = async () => {
    const found: string[] = []
    for await (const { key } of parley.app.storage.list()) found.push(key)
    return found
  }
  const bytesOf = async ({ id }: StoredFile) => (await keys()).filter((key) => key.includes(id)).length
  const sweep = () => sweepOnce(parley.app.db, parley.app.storage)

  test('the maximum file size is published before an upload', async () => {
    expect((await ada.get('/api/files/limits')).body).toEqual({ size: 1024 ** 3 })
  })

  test('the file list contains only files I may read, newest first, in pages', async () => {
    const closed = await channel('closed')
    const open = await channel('open', false)
    for (const [person, place, name] of [
      [ada, closed, 'one'],
      [bob, open, 'two'],
      [eve, undefined, 'three'],
      [bob, closed, 'four'],
    ] as const)
      await person.upload(place, name)
    expect(namesOf(await list(bob))).toEqual(['four', 'three', 'two', 'one'])
    expect(namesOf(await list(eve))).toEqual(['three', 'two'])
    expect(namesOf(await list(root))).toEqual(['three', 'two'])
    expect(namesOf(await list(eve, `/user/${bob.id}`))).toEqual(['two'])
    expect(namesOf(await list(ada, `/user/${bob.id}`))).toEqual(['four', 'two'])
    expect(await list(ada, '/user/nobody')).toEqual([])
    expect(namesOf(await list(bob, `/channel/${closed}`))).toEqual(['four', 'one'])
    expect((await eve.get(`/api/files/channel/${closed}`)).status).toBe(404)
    const [newest] = await list(bob, '?limit=1')
    expect(newest?.name).toBe('four')
    expect(namesOf(await list(bob, `?limit=2&before=${newest?.id}`))).toEqual(['three', 'two'])
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'before=x'])
      expect((await bob.get(`/api/files?${query}`)).status).toBe(400)
    await ada.post(`/api/channels/${closed}/remove-member`, { userId: bob.id })
    expect(namesOf(await list(bob))).toEqual(['three', 'two'])
  })

  test('the file list can be filtered by name and kind, among the files I may read', async () => {
    const closed = await channel('narrow')
    await ada.upload(closed, 'Résumé of 100%_Ada.txt', 'text')
    await bob.upload(closed, 'resume photo', new Uint8Array(PICTURE))
    await bob.upload(undefined, 'resumes of all.txt', 'text')
    const narrowed = async (person: Person, query: Record<string, string>) =>
      namesOf(await list(person, `?${new URLSearchParams(query)}`))
    expect(await narrowed(ada, { name: 'RESUME' })).toEqual([
      'resumes of all.txt',
      'resume photo',
      'Résumé of 100%_Ada.txt',
    ])
    expect(await narrowed(eve, { name: 'resume' })).toEqual(['resumes of all.txt'])
    expect(await narrowed(ada, { name: 'ada of' })).toEqual(['Résumé of 100%_Ada.txt'])
    expect(await narrowed(ada, { name: '0%_A' })).toEqual(['Résumé of 100%_Ada.txt'])
    expect(await narrowed(ada, { name: '%' })).toEqual(['Résumé of 100%_Ada.txt'])
    expect(await narrowed(ada, { name: 'resume', kind: 'image' })).toEqual(['resume photo'])
    expect(await narrowed(eve, { name: 'resume', kind: 'image' })).toEqual([])
    expect(await narrowed(ada, { name: 'resume', kind: 'document', limit: '1' })).toEqual(['resumes of all.txt'])
    expect(await narrowed(ada, { name: 'resume', kind: 'video' })).toEqual([])
    expect((await ada.get('/api/files?kind=folder')).status).toBe(400)
    expect((await ada.get(`/api/files?name=${'x'.repeat(256)}`)).status).toBe(400)
    const longest = `${'resume '.repeat(36)}it`
    await bob.upload(closed, longest, 'text')
    expect(await narrowed(ada, { name: longest })).toEqual([longest])
  })

  test('a file is deleted by its uploader, or by admins who may read it', async () => {
    const open = await channel('public kitchen', false)
    const closed = await channel('private kitchen')
    const [mine, other, hidden] = await Promise.all(
      [open, open, closed].map(async (place) => (await bob.upload(place, 'x', new Uint8Array(PICTURE))).body),
    )
    expect([await bytesOf(mine), await bytesOf(other), await bytesOf(hidden)]).toEqual([2, 2, 2])
    expect((await ada.delete(`/api/files/${mine.id}`)).status).toBe(403)
    expect((await eve.delete(`/api/files/${mine.id}`)).status).toBe(403)
    expect((await bob.delete(`/api/files/${mine.id}`)).status).toBe(204)
    expect((await root.delete(`/api/files/${other.id}`)).status).toBe(204)
    expect((await root.delete(`/api/files/${hidden.id}`)).status).toBe(404)
    expect(namesOf(await list(ada, `/channel/${open}`))).toEqual([])
    // The server's own sweep may run at any time.
    await sweep()
    expect([await bytesOf(mine), await bytesOf(other), await bytesOf(hidden)]).toEqual([0, 0, 2])
  })

  test('deleting a message removes its file for everyone, and the next sweep deletes the bytes', async () => {
    const place = await channel('messages')
    const { body: file } = await ada.upload(place, 'x', 'bytes', true)
    const { body: message } = await ada.post('/api/messages', { channelId: place, content: '', fileIds: [file.id] })
    expect((await bob.get(`/api/messages/channel/${place}`)).body[0].files).toHaveLength(1)
    await ada.delete(`/api/messages/${message.id}`)
    expect((await bob.get(`/api/messages/channel/${place}`)).body[0].files).toEqual([])
    for (const person of [ada, bob]) expect((await person.get(file.url)).status).toBe(404)
    expect(await list(bob, `/channel/${place}`)).toEqual([])
    await sweep()
    expect(await bytesOf(file)).toBe(0)
  })

  test('deleting a channel removes its files for everyone, and purging it deletes the bytes', async () => {
    const place = await channel('to be deleted', false)
    const { body: shown } = await ada.upload(place, 'shown')
    const { body: sent } = await ada.upload(place, 'sent', 'x', true)
    const { body: unsent } = await ada.upload(place, 'unsent', 'x', true)
    await ada.post('/api/messages', { channelId: place, content: '', fileIds: [sent.id] })
    await ada.delete(`/api/channels/${place}`)
    for (const { url } of [shown, sent, unsent]) expect((await ada.get(url)).status).toBe(404)
    expect(namesOf(await list(ada)).filter((name) => /sent|shown/.test(name))).toEqual([])
    expect((await ada.get(`/api/files/channel/${place}`)).status).toBe(404)
    while (await purgeOnce(parley.app.db, 0));
    await sweep()
    for (const file of [shown, sent, unsent]) expect(await bytesOf(file)).toBe(0)
    const left = parley.app.db.selectFrom('channels').select('id').where('id', '=', place)
    expect(await left.executeTakeFirst()).toBeUndefined()
  })

  test('the sweep removes files that were never sent, and never visible ones', async () => {
    const place = await channel('drafts')
    const { body: unsent } = await ada.upload(place, 'unsent', 'x', true)
    const { body: shown } = await ada.upload(place, 'shown')
    await sweep()
    expect(await bytesOf(unsent)).toBe(1)
    await sweepOnce(parley.app.db, parley.app.storage, { unsent: 0 })
    expect((await ada.get(unsent.url)).status).toBe(404)
    const sent = await ada.post('/api/messages', { channelId: place, content: 'x', fileIds: [unsent.id] })
    expect(sent).toMatchObject({ status: 400, code: 'no_such_file' })
    expect([await bytesOf(unsent), await bytesOf(shown)]).toEqual([0, 1])
  })

  test('the sweep removes old bytes without a row, and no others', async () => {
    const { app } = parley
    const { body: named } = await ada.upload(undefined, 'named')
    const { body: nameless } = await ada.upload(undefined, 'nameless', new Uint8Array(PICTURE))
    await app.db.deleteFrom('files').where('id', '=', nameless.id).execute()
    expect(await removeOrphanedBytes(app.db, app.storage)).toBe(0)
    expect(await bytesOf(nameless)).toBe(2)
    expect(await removeOrphanedBytes(app.db, app.storage, -1)).toBe(2)
    expect([await bytesOf(named), await bytesOf(nameless)]).toEqual([1, 0])
  })

  test('when one of five parallel uploads fails, the other four can be deleted', async () => {
    const place = await channel('five')
    const answers = await Promise.all([
      ...['a', 'b', 'c', 'd'].map((name) => ada.upload(place, name)),
      ada.upload('01900000-0000-7000-8000-000000000000', 'e'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 404])
    for (const { body } of answers.slice(0, 4)) expect((await ada.delete(`/api/files/${body.id}`)).status).toBe(204)
    expect(await list(bob, `/channel/${place}`)).toEqual([])
  })
})
