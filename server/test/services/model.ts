import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../support/cleanup.ts'

export interface Asked {
  path: string
  authorization: string | undefined
  model: string
  stream: boolean
  messages: { role: string; content: string | null; tool_call_id?: string }[]
  tools?: { function: { name: string } }[]
}

/** What a turn of the model does with its answer. */
export type Turn = (says: Saying, asked: Asked) => Promise<unknown> | unknown

export interface Saying {
  response: ServerResponse
  /** A piece of the text. */
  text: (content: string) => void
  /** Calls the search, its arguments in two parts. */
  search: (query: string) => void
  /** Ends in good order. */
  end: (reason?: string) => void
  /** Breaks the connection off. */
  cut: () => void
}

/** A model on loopback that speaks OpenAI's chat completions, streamed, and does in each turn what a test says. */
export async function startModel() {
  const asked: Asked[] = []
  let turns: Turn = (says) => {
    says.text('Hello.')
    says.end()
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one: Asked = { ...JSON.parse(body), path: request.url, authorization: request.headers.authorization }
    asked.push(one)
    const open = () => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    }
    const chunk = (choice: object) => {
      open()
      const data = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] }
      response.write(`data: ${JSON.stringify(data)}\n\n`)
    }
    await turns(
      {
        response,
        text: (content) => chunk({ delta: { content } }),
        search: (query) => {
          const given = JSON.stringify({ query })
          const half = Math.floor(given.length / 2)
          const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'search', arguments: '' } }
          chunk({ delta: { role: 'assistant', content: null, tool_calls: [call] } })
          for (const part of [given.slice(0, half), given.slice(half)])
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
          // A comment, behind which everything before it has been sent.
          response.write(':\n\n', () => response.destroy())
        },
      },
      one,
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
    asked,
    /** What it does from now on. */
    does: (turn: Turn) => {
      asked.length = 0
      turns = turn
    },
    close,
    settings: { ASSISTANT_BASE_URL: `${baseUrl}/`, ASSISTANT_MODEL: 'a-model', ASSISTANT_API_KEY: 'sk-very-secret' },
  }
}

/** A model that does whatever it is told by anybody: it looks for a word, and says all that it finds. */
export const obedient =
  (word: string): Turn =>
  (says, { messages }) => {
    const found = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '')
    if (found.length === 0) return says.search(word)
    says.text(`I was told to say it all: ${found.join(' ').replace(/[<>{}"]/g, ' ')}`)
    says.end()
    return undefined
  }

/** Writes some pieces of text and ends. */
export const says =
  (...pieces: string[]): Turn =>
  (it) => {
    for (const piece of pieces) it.text(piece)
    it.end()
  }

/** Sends a response that is no stream of an answer. */
export const sends =
  (status: number, type: string, body: string): Turn =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }

/** Writes 'So far' and nothing more until it is released. */
export function heldTurn() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const turn: Turn = async (it) => {
    it.text('So far')
    await held
    it.end()
  }
  return { turn, release }
}
