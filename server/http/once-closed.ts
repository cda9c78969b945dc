import type { ServerResponse } from 'node:http'

/** The callbacks of each response, which share one listener: Node reports more than ten as a leak. */
const callbacks = new WeakMap<ServerResponse, (() => void)[]>()

/**
 * Calls back once a response is complete or its connection closed; immediately if that has already happened: a browser may
 * abort a request before its handler runs, and then no event follows.
 */
export function onceClosed(response: ServerResponse, callback: () => void) {
  if (response.closed || response.req.socket.destroyed) return callback()
  const others = callbacks.get(response)
  if (others) return void others.push(callback)
  const all = [callback]
  callbacks.set(response, all)
  response.once('close', () => {
    for (const call of all) call()
  })
}
