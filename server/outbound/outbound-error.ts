/** Why a URL was not fetched. */
export class OutboundError extends Error {
  override name = 'OutboundError'
}

/** What a request that failed is rejected with: the signal's reason if it is aborted, otherwise an OutboundError. */
export function failure(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return cause instanceof OutboundError ? cause : new OutboundError('does not respond', { cause })
}
