import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Bus, BusObserver } from '../bus/bus.ts'

/** Metrics of the bus between the nodes. Returns what the bus calls, and what adds the metrics that are read from it. */
export function observeBus(registry: Registry) {
  const registers = [registry]
  const counter = (name: string, help: string) => new Counter({ name, help, registers })
  const delays = new Histogram({
    name: 'parley_bus_delay_seconds',
    help: 'From sending a packet to the other nodes until this node receives it as well.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  })
  const missed = counter(
    'parley_bus_missed_total',
    'Times when notices of other nodes were lost, so that the clients of this node looked for changes.',
  )
  const dropped = counter(
    'parley_bus_dropped_total',
    'Notices that were not sent to the other nodes: too many, too large, or the bus was unavailable.',
  )
  const ignored = counter('parley_bus_ignored_total', 'Packets that were repeated, or sealed by somebody else.')
  const sent = counter('parley_bus_bytes_total', 'Bytes that this node sent to the others.')
  const observer: BusObserver = {
    onEcho: (seconds) => delays.observe(seconds),
    onMissed: () => missed.inc(),
    onDropped: (count) => dropped.inc(count),
    onIgnored: () => ignored.inc(),
    onSent: (bytes) => sent.inc(bytes),
  }

  function observe(bus: Pick<Bus, 'peers' | 'isUnavailable'>, unheard: { count: () => number }) {
    gauge('parley_nodes', 'Nodes of this workspace that are there, with this one.', () => bus.peers().length + 1)
    gauge(
      'parley_nodes_unreachable',
      'Nodes that use the same database and another bus: REDIS_URL is not the same on all nodes.',
      unheard.count,
    )
    gauge(
      'parley_bus_unavailable',
      '1 if nothing that this node sends comes back, so events of other nodes arrive a little later.',
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
