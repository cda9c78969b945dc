import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../support/cleanup.ts'

interface ModelRequest {
  path: string
  authorization: string | undefined
  model: string
  stream: boolean
  messages: { role: string; content: string | null; tool_call_id?: string }[]
  tools?: { function: { name: string } }[]
}

/** The model's behavior in one turn. */
export type Turn = (response: TurnResponse, request: ModelRequest) => Promise<unknown> | unknown

interface TurnResponse {
  response: ServerResponse
  /** Sends a piece of the text. */
  text: (content: string) => void
  /** Calls the search tool, with its arguments in two parts. */
  search: (query: string) => void
  /** Ends the answer. */
  end: (reason?: string) => void
  /** Closes the connection in the middle of the answer. */
  cut: () => void
}

/** A local model with OpenAI's protocol for streamed chat completions. Tests set its behavior in each turn. */
export async function startModel() {
  const requests: ModelRequest[] = []
  let currentTurn: Turn = (response) => {
    response.text('Hello.')
    response.end()
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const received: ModelRequest = {
      ...JSON.parse(body),
      path: request.url,
      authorization: request.headers.authorization,
    }
    requests.push(received)
    const open = () => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    }
    const chunk = (choice: object) => {
      open()
      const data = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] }
      response.write(`data: ${JSON.stringify(data)}\n\n`)
    }
    await currentTurn(
      {
        response,
        text: (content) => chunk({ delta: { content } }),
        search: (query) => {
          const argumentsJson = JSON.stringify({ query })
          const half = Math.floor(argumentsJson.length / 2)
          const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'search', arguments: '' } }
          chunk({ delta: { role: 'assistant', content: null, tool_calls: [call] } })
          for (const part of [argumentsJson.slice(0, half), argumentsJson.slice(half)])
            chunk({ delta: { tool_calls: [{ index: 0, function: { arguments: part } }] } })
          chunk({ delta: {}, finish_reason: 'tool_calls' })
          response.end('data: [DONE]\n\n')
        },
        end: (reason = 'stop') => {
          chunk({ delta: {}, finish_reason: reason })
          response.end('data: [DONE]\n\n')
        },
        cut: () => {
          open()
          // Once this comment is written, everything before it has been sent.
          response.write(':\n\n', () => response.destroy())
        },
      },
      received,
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  atEnd(close)
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    requests,
    /** Sets its behavior from now on, and clears `requests`. */
    setTurn: (turn: Turn) => {
      requests.length = 0
      currentTurn = turn
    },
    close,
    settings: { ASSISTANT_BASE_URL: `${baseUrl}/`, ASSISTANT_MODEL: 'a-model', ASSISTANT_API_KEY: 'sk-very-secret' },
  }
}

/** A model that follows injected instructions: searches for a word and repeats everything it finds. */
export const obedient =
  (word: string): Turn =>
  (response, { messages }) => {
    const found = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '')
    if (found.length === 0) return response.search(word)
    response.text(`I was told to say it all: ${found.join(' ').replace(/[<>{}"]/g, ' ')}`)
    response.end()
    return undefined
  }

/** Writes some pieces of text and ends. */
export const answersWith =
  (...pieces: string[]): Turn =>
  (response) => {
    for (const piece of pieces) response.text(piece)
    response.end()
  }

/** Sends a response that is not an event stream. */
export const respondsWith =
  (status: number, type: string, body: string): Turn =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

/** Writes 'So far' and nothing more until it is released. */
export function heldTurn() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const turn: Turn = async (response) => {
    response.text('So far')
    await held
    response.end()
  }
  return { turn, release }
}
