import type { ServerResponse } from 'node:http'

/** What is to be done at the end of each answer, by one listener: Node takes more than ten for a leak. */
const waiting = new WeakMap<ServerResponse, (() => void)[]>()

/**
 * Acts once when a connection is done with an answer. That may have been before this is called: a browser gives requests
 * up while the server still looks at them, and then no event comes any more.
 */
export function onceClosed(answer: ServerResponse, act: () => void) {
  if (answer.closed || answer.req.socket.destroyed) return act()
  const acts = waiting.get(answer)
  if (acts) return void acts.push(act)
  const first = [act]
  waiting.set(answer, first)
  answer.once('close', () => {
    for (const next of first) next()
  })
}
