interface Bounds {
  firstMs: number
  maxMs: number
}

/**
 * How long to wait before another attempt, in milliseconds: at most `firstMs` after the first failure, then twice as long each
 * time. Random by half, so that those who failed together do not return together.
 * @param failures how many there were in a row, this one included
 */
export const retryDelay = (failures: number, { firstMs, maxMs }: Bounds) =>
  Math.min(firstMs * 2 ** (failures - 1), maxMs) * (0.5 + Math.random() / 2)
