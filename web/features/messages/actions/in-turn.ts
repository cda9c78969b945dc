interface Turn {
  kind: string
  isOver: Promise<void>
}

const last = new Map<string, Turn>()

/**
 * Runs one act at a time per key. The same act again, as by a double click, is left out; another one runs afterwards: a page may
 * show the result of a request, by its event, before the response.
 * @param act handles its own failures
 */
export async function inTurn(key: string, kind: string, act: () => Promise<void>) {
  const before = last.get(key)
  if (before?.kind === kind) return
  const turn = { kind, isOver: before ? before.isOver.then(act) : act() }
  last.set(key, turn)
  await turn.isOver
  if (last.get(key) === turn) last.delete(key)
}
