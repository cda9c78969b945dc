import * as z from 'zod'
import { StartError } from './start-error.ts'

/** An OpenAI-compatible endpoint that writes answers. */
export interface ModelConfig {
  /** Everything before `/chat/completions`, without a trailing slash. */
  baseUrl: string
  name: string
  /** Undefined for models that need none, such as local ones. */
  apiKey: string | undefined
}

export interface AssistantConfig {
  /** Without a model, the assistant answers with search results. */
  model: ModelConfig | undefined
  /** Questions per user and hour. */
  quota: number
  /** Timeout of one answer, in seconds. */
  timeout: number
}

/** A text-to-speech provider with the API of ElevenLabs. */
export interface SpeechConfig {
  /** Everything before `/v1/text-to-speech`, without a trailing slash. */
  baseUrl: string
  apiKey: string | undefined
  voice: string
  model: string
  /** Messages read aloud per user and hour. */
  quota: number
}

const isEndpoint = (value: string) => {
  const url = URL.parse(value)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.search === ''
}

const address = (example: string) =>
  z
    .string()
    .refine(isEndpoint, `must be an address such as ${example}, without a name and password`)
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()

// It is sent in a header.
const key = z
  .string()
  .regex(/^[!-~]+$/, 'must be a key without spaces')
  .optional()

const whole = (what: string, max: number) =>
  z.coerce.number(`must be ${what}`).int(`must be ${what}`).min(1, `must be ${what}`).max(max, `must be ${what}`)

const perHour = whole('a number of times in an hour, from 1 to 100000', 100_000).default(60)

/** The environment variables of the assistant and of speech. */
export const assistantEnvironment = {
  ASSISTANT_BASE_URL: address('https://api.openai.com/v1 or http://localhost:11434/v1'),
  ASSISTANT_MODEL: z.string().max(200, 'must be the name of a model').optional(),
  ASSISTANT_API_KEY: key,
  ASSISTANT_QUOTA: perHour,
  ASSISTANT_TIMEOUT: whole('a number of seconds from 1 to 3600', 3600).default(120),
  TTS_BASE_URL: address('https://api.elevenlabs.io'),
  TTS_API_KEY: key,
  TTS_VOICE: z.string().max(200, 'must be the id of a voice').optional(),
  TTS_MODEL: z.string().max(200, 'must be the id of a model').default('eleven_multilingual_v2'),
  TTS_QUOTA: perHour,
}

type Environment = z.output<z.ZodObject<typeof assistantEnvironment>>

/** @throws StartError if the model's settings are incomplete */
export function readAssistant(env: Environment): AssistantConfig {
  const { ASSISTANT_BASE_URL: baseUrl, ASSISTANT_MODEL: name, ASSISTANT_API_KEY: apiKey } = env
  const settings = { quota: env.ASSISTANT_QUOTA, timeout: env.ASSISTANT_TIMEOUT }
  if (baseUrl && name) return { ...settings, model: { baseUrl, name, apiKey } }
  if (baseUrl) throw new StartError('ASSISTANT_MODEL is required with ASSISTANT_BASE_URL.')
  if (name || apiKey)
    throw new StartError(`ASSISTANT_BASE_URL is required with ${name ? 'ASSISTANT_MODEL' : 'ASSISTANT_API_KEY'}.`)
  return { ...settings, model: undefined }
}

/** @throws StartError if the provider's settings are incomplete */
export function readSpeech(env: Environment): SpeechConfig | undefined {
  const { TTS_BASE_URL: baseUrl, TTS_API_KEY: apiKey, TTS_VOICE: voice, TTS_MODEL: model, TTS_QUOTA: quota } = env
  if (!baseUrl) {
    if (apiKey || voice) throw new StartError(`TTS_BASE_URL is required with ${apiKey ? 'TTS_API_KEY' : 'TTS_VOICE'}.`)
    return undefined
  }
  if (!voice) throw new StartError('TTS_VOICE is required with TTS_BASE_URL.')
  return { baseUrl, apiKey, voice, model, quota }
}
