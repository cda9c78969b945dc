import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server in place of an external service. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    answer(request, response, body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A model with OpenAI's protocol whose output the test controls. */
export async function startModel() {
  const requests: string[] = []
  let answers: ServerResponse[] = []
  const server = await listen((_, response, body) => {
    requests.push(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    answers.push(response)
  })
  const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`
  return {
    requests,
    settings: { ASSISTANT_BASE_URL: `${server.address}/v1`, ASSISTANT_MODEL: 'stand-in', ASSISTANT_API_KEY: 'a-key' },
    say: (content: string) => {
      for (const it of answers) it.write(chunk({ delta: { content } }))
    },
    finish: () => {
      for (const it of answers) it.end(`${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
      answers = []
    },
    close: server.close,
  }
}

/** A speech provider with ElevenLabs' protocol: it returns twenty seconds of silence, or 75 for a long text. */
export async function startSpeechProvider() {
  const requests: { text: string; voice_settings: object }[] = []
  let mode: 'well' | 'failing' | 'broken' = 'well'
  const server = await listen((request, response, body) => {
    const { text, ...rest } = JSON.parse(body)
    requests.push({ text, ...rest })
    if (mode === 'failing') return response.writeHead(500).end()
    response.writeHead(200, { 'content-type': request.headers.accept ?? 'audio/mpeg' })
    const sound = silence(text.length > 100 ? 75 : 20)
    if (mode === 'well') return response.end(sound)
    response.write(sound.subarray(0, 2000), () => response.destroy())
    return undefined
  })
  return {
    requests,
    settings: { TTS_BASE_URL: server.address, TTS_API_KEY: 'a-key', TTS_VOICE: 'a-voice' },
    setMode: (to: typeof mode) => {
      mode = to
    },
    close: server.close,
  }
}

/** A WAV file of silence. */
export function silence(seconds: number) {
  const rate = 8000
  const wave = Buffer.alloc(44 + rate * seconds, 128)
  wave.write('RIFF', 0)
  wave.writeUInt32LE(wave.length - 8, 4)
  wave.write('WAVEfmt ', 8)
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(1, 22)
  wave.writeUInt32LE(rate, 24)
  wave.writeUInt32LE(rate, 28)
  wave.writeUInt16LE(1, 32)
  wave.writeUInt16LE(8, 34)
  wave.write('data', 36)
  wave.writeUInt32LE(wave.length - 44, 40)
  return wave
}
