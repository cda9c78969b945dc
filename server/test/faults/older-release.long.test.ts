import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atEnd } from '../support/cleanup.ts'
import { follow } from '../support/event-follower.ts'
import { checkOutLastRelease } from '../support/last-release.ts'
import { newDatabase } from '../support/new-database.ts'
import { type ApiClient, openServerProcess, signUpClient } from '../support/server-process.ts'

// A node of the last release and one of this version share a database, as during a rolling upgrade.

const release = await checkOutLastRelease()
if (release) atEnd(release.remove)

test.skipIf(!release)('a node of the last release and one of this version work together', async () => {
  const { root = '', isTolerant } = release ?? {}
  // The nodes share a folder, and so the secret in it.
  const settings = {
    DATABASE_URL: await newDatabase(),
    DATA_DIR: await mkdtemp(join(tmpdir(), 'parley-upgrade-')),
  }
  const older = await openServerProcess(settings, root)
  const newer = await openServerProcess(settings)
  await older.start()
  const ada = await signUpClient(older.address, 'ada')
  const { body: channel } = await ada.call('POST', '/api/channels', { name: 'kitchen' })
  const channels: string[] = [channel.id]
  const say = async (person: ApiClient, content: string) =>
    expect((await person.call('POST', '/api/messages', { channelId: channel.id, content })).status).toBe(201)
  await say(ada, 'before the upgrade')
  const adas = follow(ada, channels)
  await expect.poll(() => adas.sees(channel.id)).toHaveLength(1)

  // Its start migrates the database while the other node serves.
  await newer.start()
  const bob = await signUpClient(newer.address, 'bob')
  await bob.call('POST', `/api/channels/${channel.id}/join`)
  const bobs = follow(bob, channels)
  /** Both send; each receives and finds the other's messages. */
  async function talk(round: string) {
    const count = (await bob.call('GET', `/api/messages/channel/${channel.id}`)).body.length
    await say(ada, `apples ${round}`)
    await say(bob, `bananas ${round}`)
    for (const follower of [adas, bobs]) await expect.poll(() => follower.sees(channel.id)).toHaveLength(count + 2)
    expect(adas.sees(channel.id)).toEqual(bobs.sees(channel.id))
    const find = async (person: ApiClient, fruit: string) => {
      const { body } = await person.call('GET', `/api/search?q=${fruit}%20${round}`)
      return (body as { content: string }[]).map(({ content }) => content)
    }
    expect(await find(ada, 'bananas')).toEqual([`bananas ${round}`])
    expect(await find(bob, 'apples')).toEqual([`apples ${round}`])
  }
  await talk('together')
  // A member removed on one node receives nothing more on the other.
  await ada.call('POST', `/api/channels/${channel.id}/remove-member`, { userId: bob.id })
  const asOutsider = () => bob.call('POST', '/api/messages', { channelId: channel.id, content: 'still here' })
  await expect.poll(async () => (await asOutsider()).status).toBe(403)
  await bob.call('POST', `/api/channels/${channel.id}/join`)

  await older.kill('SIGKILL')
  const restarted = older.start()
  if (!isTolerant) {
    // Releases before 0016 are strict (see docs/running/upgrading.md) and refuse to start.
    await expect(restarted).rejects.toThrow('corrupted migrations')
    await say(bob, 'goes on')
    return
  }
  await restarted
  await talk('again')
})
