import type { Reads } from '../load/jobs.ts'
import type { Load } from '../report/measure.ts'
import type { Workbench } from './workbench.ts'

export type Reading = Extract<Load, { kind: 'calls' }> & { load: Reads }

/** Parley's response to the first of several requests. @throws Error unless it is successful */
export async function answerTo(port: number, { tokens, load: { paths, body } }: Reading): Promise<string> {
  const headers = { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' }
  const init = body === undefined ? { method: 'GET' } : { method: 'POST', body }
  const answer = await fetch(`http://127.0.0.1:${port}${paths[0]}`, { headers, ...init })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${paths[0]}: ${answer.status} ${text}`)
  return text
}

/** The same calls to a bare server that replays Parley's answer. */
export async function replayAnswer({ parley, ceilings }: Workbench, reading: Reading): Promise<Reading> {
  const body = await answerTo(parley, reading)
  await fetch(`http://127.0.0.1:${ceilings}/kept`, { method: 'PUT', body })
  return { ...reading, port: ceilings, load: { ...reading.load, paths: ['/kept'] } }
}
