const MAX_NOTED = 10

/** Passes on each text once, and at most ten in all. For log lines that clients can trigger. */
export function noteOnce(note: (text: string) => void) {
  const noted = new Set<string>()
  return (text: string) => {
    if (noted.has(text) || noted.size === MAX_NOTED) return
    noted.add(text)
    note(text)
  }
}
