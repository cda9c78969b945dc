import * as z from 'zod'
import type { ModelConfig } from '../config/assistant-settings.ts'
import { readEvents } from './event-stream.ts'

export interface ToolCall {
  id: string
  name: string
  /** JSON, if the model got it right. */
  arguments: string
}

export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | {
      role: 'assistant'
      content: string | null
      tool_calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
    }
  | { role: 'tool'; tool_call_id: string; content: string }

/** Why a model gave no complete answer; users see the message. */
export class ModelFailure extends Error {
  /** The HTTP status, if the model responded. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
  }
}

const MAX_TURN_CHARACTERS = 20_000
const MAX_ARGUMENT_CHARACTERS = 4_000
const MAX_TOOL_CALLS = 4

const Chunk = z.object({
  choices: z.array(
    z.object({
      delta: z
        .object({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                index: z.number().int().min(0).optional(),
                id: z.string().nullish(),
                function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
              }),
            )
            .nullish(),
        })
        .nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
})

interface CompletionOptions {
  messages: ModelMessage[]
  tools: object[]
  signal: AbortSignal
  /** Called with each piece of the text. */
  onText: (text: string) => void
}

/**
 * One turn of a model behind OpenAI's chat completions API, streamed.
 * @throws ModelFailure with a message for users; or the signal's reason
 */
export async function complete(model: ModelConfig, { messages, tools, signal, onText }: CompletionOptions) {
  const response = await fetch(`${model.baseUrl}/chat/completions`, {
    method: 'POST',
    // The key must not reach another host.
    redirect: 'error',
    signal,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(model.apiKey && { authorization: `Bearer ${model.apiKey}` }),
    },
    body: JSON.stringify({ model: model.name, messages, stream: true, ...(tools.length > 0 && { tools }) }),
  }).catch((cause) => {
    signal.throwIfAborted()
    throw new ModelFailure("The model isn't responding.", { cause })
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel().catch(() => {})
    throw new ModelFailure(`The model refused to answer (${response.status}).`, { status: response.status })
  }
  try {
    return await readTurn(response.body, onText)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ModelFailure
      ? error
      : new ModelFailure('The connection to the model was lost.', { cause: error })
  }
}

async function readTurn(body: AsyncIterable<Uint8Array>, onText: (text: string) => void) {
  const calls: ToolCall[] = []
  let text = ''
  let isComplete = false
  for await (const data of readEvents(body)) {
    if (data === '[DONE]') {
      isComplete = true
      break
    }
    const [choice] = chunkOf(data).choices
    if (choice?.finish_reason) isComplete = true
    const { content, tool_calls } = choice?.delta ?? {}
    if (content) {
      text += content
      onText(content)
    }
    for (const part of tool_calls ?? []) addPart(calls, part)
    if (text.length > MAX_TURN_CHARACTERS) {
      isComplete = true
      break
    }
  }
  if (!isComplete) throw new ModelFailure('The connection to the model was lost.')
  return { text, calls: calls.filter(({ name }) => name !== '').slice(0, MAX_TOOL_CALLS) }
}

type Part = NonNullable<NonNullable<z.output<typeof Chunk>['choices'][number]['delta']>['tool_calls']>[number]

/** Tool calls arrive in parts; all parts of a call share an index. */
function addPart(calls: ToolCall[], { index, id, function: part }: Part) {
  const position = index ?? (id ? calls.length : calls.length - 1)
  if (position < 0 || position >= 16) return
  while (calls.length <= position) calls.push({ id: `call-${calls.length}`, name: '', arguments: '' })
  const call = calls[position] as ToolCall
  if (id) call.id = id
  if (part?.name) call.name = part.name
  if (part?.arguments) call.arguments = (call.arguments + part.arguments).slice(0, MAX_ARGUMENT_CHARACTERS)
}

function chunkOf(data: string) {
  const parsed = Chunk.safeParse(jsonOf(data))
  if (!parsed.success) throw new ModelFailure('The model returned an invalid response.')
  return parsed.data
}

/** Undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
