import { expect, test } from 'vitest'
import { respondWithSound, SOUND, startSpeechProvider } from '../../test/services/fake-tts.ts'
import { type Person, startParley } from '../../test/support/parley.ts'

const voice = await startSpeechProvider()
const log: string[] = []
const parley = await startParley(
  { ...voice.settings, TTS_QUOTA: '12', LOG_LEVEL: 'trace' },
  { write: (line) => log.push(line) },
)
const ada = await parley.person('ada')
const bob = await parley.person('bob')
const eve = await parley.person('eve')
const { body: den } = await ada.post('/api/channels', { name: 'den', isPrivate: true, members: [bob.id] })

const onMessage = ({ token }: Person, messageId: string, signal?: AbortSignal) =>
  fetch(`${parley.address}/api/messages/${messageId}/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(signal && { signal }),
  })

test('a message is sent to the speech provider as prose, and the API key stays on the server', async () => {
  const { id } = await ada.say(den.id, '**Ship it** on [Friday](https://example.com/secret-plan)\n```\nrm -rf\n```')
  const answer = await onMessage(bob, id)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('audio/mpeg')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(SOUND)
  expect(JSON.stringify([...answer.headers])).not.toContain('xi-very-secret')
  expect(voice.requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/v1/text-to-speech/a%20voice/stream',
    headers: { 'xi-api-key': 'xi-very-secret', accept: 'audio/mpeg', 'content-type': 'application/json' },
    body: {
      text: 'Ship it on Friday\ncode',
      model_id: 'a-model',
      voice_settings: { stability: 0.5, similarity_boost: 0.75 },
    },
  })
})

test('a message that the user may not read is not sent to the provider', async () => {
  const { id } = await ada.say(den.id, 'not for eve')
  const before = voice.requests.length
  expect((await eve.post(`/api/messages/${id}/speech`)).code).toBe('not_found')
  await ada.delete(`/api/messages/${id}`)
  expect((await ada.post(`/api/messages/${id}/speech`)).code).toBe('not_found')
  expect(voice.requests.length).toBe(before)
})

test('a message without speakable text is not spoken', async () => {
  const { id } = await ada.say(den.id, '```\ncode\n```')
  expect(await ada.post(`/api/messages/${id}/speech`)).toMatchObject({ status: 409, code: 'nothing_to_say' })
})

test('a long message is spoken up to a limit', async () => {
  const { id } = await ada.say(den.id, 'word '.repeat(1999))
  await (await onMessage(ada, id)).arrayBuffer()
  expect(voice.requests.at(-1)?.body.text.length).toBe(5000)
})

test.each<[string, Parameters<typeof voice.setResponse>[0]]>([
  ['refuses', (response) => response.writeHead(401).end('{"detail":"bad key xi-very-secret"}')],
  ['answers no sound', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello')],
  ['answers nothing', (response) => response.writeHead(200, { 'content-type': 'audio/mpeg' }).end()],
  ['hangs up', (response) => response.destroy()],
  ['leads elsewhere', (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()],
])('a provider that %s causes a clear error', async (_, how) => {
  const { id } = await ada.say(den.id, 'hello')
  voice.setResponse(how)
  const answer = await bob.post(`/api/messages/${id}/speech`)
  expect(answer).toMatchObject({ status: 503, code: 'unavailable' })
  expect(JSON.stringify(answer)).not.toContain('xi-very-secret')
  voice.setResponse(respondWithSound)
})

test('audio that breaks off is an error, not a complete file', async () => {
  const { id } = await ada.say(den.id, 'hello')
  voice.setResponse((response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(SOUND, () => response.destroy())
  })
  const answer = await onMessage(ada, id)
  expect(answer.status).toBe(200)
  await expect(answer.arrayBuffer()).rejects.toThrow()
  voice.setResponse(respondWithSound)
})

test('when the listener disconnects, the request to the provider is aborted', async () => {
  const { id } = await ada.say(den.id, 'hello')
  let closed = false
  voice.setResponse((response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).write(SOUND)
    response.once('close', () => {
      closed = true
    })
  })
  const leaving = new AbortController()
  await onMessage(ada, id, leaving.signal)
  leaving.abort()
  await expect.poll(() => closed).toBe(true)
  voice.setResponse(respondWithSound)
})

test('each person has their own speech quota; without a provider the server reports that there is none', async () => {
  const { id } = await ada.say(den.id, 'hello')
  let last = 200
  for (let i = 0; i < 14 && last === 200; i++) last = (await onMessage(ada, id)).status
  expect(last).toBe(429)
  expect(await ada.post(`/api/messages/${id}/speech`)).toMatchObject({ code: 'rate_limited' })
  expect((await onMessage(bob, id)).status).toBe(200)

  expect((await ada.get('/api/assistant')).body).toEqual({ model: false, speech: true })
  const mute = await startParley()
  const cyd = await mute.person('cyd')
  expect((await cyd.get('/api/assistant')).body).toEqual({ model: false, speech: false })
  const { body: channel } = await cyd.post('/api/channels', { name: 'quiet' })
  const { id: messageId } = await cyd.say(channel.id, 'hello')
  expect(await cyd.post(`/api/messages/${messageId}/speech`)).toMatchObject({ status: 409, code: 'no_speech' })
})

test('no line of the log contains the key or the text', () => {
  expect(log.length).toBeGreaterThan(0)
  expect(log.filter((line) => /xi-very-secret|Ship it|not for eve/.test(line))).toEqual([])
})
