import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../support/cleanup.ts'

interface SpeechRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: { text: string; model_id: string; voice_settings: unknown }
}

/** A speech provider with ElevenLabs' protocol, on loopback. */
export async function startSpeechProvider() {
  const requests: SpeechRequest[] = []
  let answer = respondWithSound
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: JSON.parse(body) })
    await answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  atEnd(close)
  return {
    requests,
    setResponse: (respond: (response: ServerResponse) => unknown) => {
      answer = respond as typeof answer
    },
    close,
    settings: {
      TTS_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      TTS_API_KEY: 'xi-very-secret',
      TTS_VOICE: 'a voice',
      TTS_MODEL: 'a-model',
    },
  }
}

export const SOUND = Buffer.from('ID3 this passes for sound')

export async function respondWithSound(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'audio/mpeg' })
  response.write(SOUND.subarray(0, 10))
  // Long enough for the two halves to arrive separately.
  await new Promise((resolve) => setTimeout(resolve, 30))
  response.end(SOUND.subarray(10))
}
