import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Starts to upload a file. `write` sends some bytes, `finish` ends it and returns the response. */
export function beginUpload(address: string, { token }: { token: string }, channelId: string) {
  const upload = request(`${address}/api/files/upload`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=edge' },
  })
  const answered = once(upload, 'response')
  // An aborted request rejects only where it is awaited.
  answered.catch(() => {})
  const part = (name: string) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`
  upload.write(`${part('channelId')}${channelId}\r\n${part('file"; filename="large.txt')}`)
  return {
    answered,
    write: async (bytes: string | Buffer) => {
      if (!upload.write(bytes)) await once(upload, 'drain')
    },
    finish: async () => {
      upload.end('\r\n--edge--\r\n')
      const [answer] = await answered
      return { status: answer.statusCode, connection: answer.headers.connection, body: JSON.parse(await text(answer)) }
    },
  }
}
