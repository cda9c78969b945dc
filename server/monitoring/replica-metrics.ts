import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of the replica that searches use. @param isAvailable called when the metrics are read */
export function observeSearchReplica(registry: Registry, isAvailable: () => boolean) {
  const registers = [registry]
  new Gauge({
    name: 'parley_search_replica_available',
    help: '1 if searches use the replica of DATABASE_READ_URL, 0 if they use the primary.',
    registers,
    collect() {
      this.set(isAvailable() ? 1 : 0)
    },
  })
  return new Counter({
    name: 'parley_search_replica_queries_total',
    help: 'Outcomes of searches on the replica: used, or repeated on the primary because they were outdated or failed.',
    labelNames: ['outcome'],
    registers,
  })
}
