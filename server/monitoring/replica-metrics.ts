import { Counter, Gauge, type Registry } from 'prom-client'

/** Metrics of the replica that searches use. @param isAvailable called when the metrics are read */
export function observeSearchReplica(registry: Registry, isAvailable: () => boolean) {
  const registers = [registry]
  new Gauge({
    name: 'parley_search_replica_available',
    help: '1 if searches use the replica of DATABASE_READ_URL, 0 if the primary does its work.',
    registers,
    collect() {
      this.set(isAvailable() ? 1 : 0)
    },
  })
  return new Counter({
    name: 'parley_search_replica_queries_total',
    help: 'What became of searches on the replica: used, outdated (the primary searched again), failed (likewise).',
    labelNames: ['outcome'],
    registers,
  })
}
