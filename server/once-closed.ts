import type { ServerResponse } from 'node:http'

/**
 * Acts once when a connection is done with an answer. That may have been before this is called: a browser gives requests
 * up while the server still looks at them, and then no event comes any more.
 */
export function onceClosed(answer: ServerResponse, act: () => void) {
  if (answer.closed || answer.req.socket.destroyed) act()
  else answer.once('close', act)
}
