/** Shorter than the time for which other clients show it. */
const TYPING_INTERVAL_MS = 3000

/** Decides at each change of the text whether to publish that the user is typing. */
export function typingPace() {
  let publishedAt = Number.NEGATIVE_INFINITY
  return (text: string, now: number, isConnected: boolean) => {
    if (text.trim() === '') publishedAt = Number.NEGATIVE_INFINITY
    const isDue = text.trim() !== '' && isConnected && now - publishedAt >= TYPING_INTERVAL_MS
    if (isDue) publishedAt = now
    return isDue
  }
}
