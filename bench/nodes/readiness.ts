const CHECK_INTERVAL_MS = 1000
const CHECK_TIMEOUT_MS = 3000
/** Failed checks until a node is removed. */
const FALL = 2

/**
 * Checks each second which nodes are ready, like the load balancers of docs/running/several-nodes.md.
 * @param onChange receives the ports of ready nodes
 * @returns a function that stops it
 */
export function watchReadiness(ports: number[], onChange: (ready: number[]) => void) {
  const failures = new Map(ports.map((port) => [port, 0]))
  let last = ports.join()
  const check = async (port: number) => {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    failures.set(port, isReady ? 0 : (failures.get(port) ?? 0) + 1)
    const ready = ports.filter((it) => (failures.get(it) ?? 0) < FALL)
    // If none is ready, keep the previous ones.
    if (ready.length === 0 || ready.join() === last) return
    last = ready.join()
    onChange(ready)
  }
  const timers = ports.map((port) => setInterval(() => void check(port), CHECK_INTERVAL_MS))
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
