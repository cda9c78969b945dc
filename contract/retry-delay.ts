interface Bounds {
  firstMs: number
  maxMs: number
}

/**
 * Exponential backoff in milliseconds: at most `firstMs` after the first failure, doubling up to `maxMs`. Jitter of up to half
 * keeps clients that failed together from retrying together.
 * @param failures consecutive failures, including this one
 */
export const retryDelay = (failures: number, { firstMs, maxMs }: Bounds) =>
  Math.min(firstMs * 2 ** (failures - 1), maxMs) * (0.5 + Math.random() / 2)
