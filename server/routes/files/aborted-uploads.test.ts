import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { transaction, untilLockWait } from '../../test/support/open-transactions.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob } = await parley.people('ada', 'bob')

test('an upload aborted before its response leaves nothing behind, however late it is aborted', async () => {
  const channelId = (await ada.post('/api/channels', { name: 'kitchen', members: [bob.id] })).body.id
  const stored = () => parley.app.db.selectFrom('files').select('id').execute()
  const lock = await transaction(parley.databaseUrl, ['select from users where id = $1 for no key update', [ada.id]])
  const { port } = new URL(parley.address)
  const part = (name: string, value: string) =>
    `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const form = `${part('channelId', channelId)}${part('file"; filename="twice.txt', 'bytes')}--edge--\r\n`
  const socket = connect(Number(port), '127.0.0.1')
  const connections = () => new Promise<number>((resolve) => parley.app.server.getConnections((_, n) => resolve(n)))
  socket.write(
    `POST /api/files/upload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\n` +
      `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
  )
  // The upload is complete and about to become visible.
  await untilLockWait(parley.databaseUrl, 'for no key update')
  const open = await connections()
  socket.destroy()
  await expect.poll(connections).toBeLessThan(open)
  await lock.rollback()
  await expect.poll(async () => (await stored()).length).toBe(0)
  const names = async () =>
    (await bob.get(`/api/files/channel/${channelId}`)).body.map((it: { name: string }) => it.name)
  expect(await names()).not.toContain('twice.txt')

  // The browser retries; a file that was confirmed stays, whatever happens to the connection.
  expect((await ada.upload(channelId, 'twice.txt', 'bytes')).status).toBe(201)
  expect((await names()).filter((name: string) => name === 'twice.txt')).toHaveLength(1)
})
