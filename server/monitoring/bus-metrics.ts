import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Bus, BusObserver } from '../bus/bus.ts'

/** Metrics of the bus between the nodes. Returns the observer for the bus, and a function that adds its gauges. */
export function observeBus(registry: Registry) {
  const registers = [registry]
  const counter = (name: string, help: string) => new Counter({ name, help, registers })
  const delays = new Histogram({
    name: 'parley_bus_delay_seconds',
    help: 'Round-trip time of packets that this node sends to the bus.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  const missed = counter(
    'parley_bus_missed_total',
    'How often notices of other nodes were lost, so that the clients of this node had to refetch.',
  )
  const dropped = counter(
    'parley_bus_dropped_total',
    'Notices that were not sent to the other nodes because they were too many or too large, or the bus was unavailable.',
  )
  const ignored = counter('parley_bus_ignored_total', 'Repeated packets, and packets sealed with another secret.')
  const sent = counter('parley_bus_bytes_total', 'Bytes that this node sent to the others.')
  const observer: BusObserver = {
    onEcho: (seconds) => delays.observe(seconds),
    onMissed: () => missed.inc(),
    onDropped: (count) => dropped.inc(count),
    onIgnored: () => ignored.inc(),
    onSent: (bytes) => sent.inc(bytes),
  }

  function observe(bus: Pick<Bus, 'peers' | 'isUnavailable'>, unheard: { count: () => number }) {
    gauge('parley_nodes', 'Live nodes of this workspace, including this one.', () => bus.peers().length + 1)
    gauge(
      'parley_nodes_unreachable',
      'Nodes that share the database but not the bus, because REDIS_URL differs.',
      unheard.count,
    )
    gauge(
      'parley_bus_unavailable',
      '1 if this node receives nothing back from the bus, so that events of other nodes are delayed until the next poll.',
      () => (bus.isUnavailable() ? 1 : 0),
    )
  }

  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })

  return { observer, observe }
}
