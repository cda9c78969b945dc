import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Bus, BusObserver } from '../bus/bus.ts'

/**
 * Metrics of the bus between the nodes.
 * @param bus called when the metrics are read
 * @param countUnheard the nodes that use the same database and another bus
 */
export function observeBus(
  registry: Registry,
  bus: () => Pick<Bus, 'peers' | 'isUnavailable'>,
  countUnheard: () => number,
): BusObserver {
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
    'Times when messages of other nodes were lost, so that the clients of this node looked for changes.',
  )
  const dropped = counter(
    'parley_bus_dropped_total',
    'Messages that were not sent to the other nodes: too many, too large, or the bus was unavailable.',
  )
  const ignored = counter('parley_bus_ignored_total', 'Packets that were repeated, or sealed by somebody else.')
  const sent = counter('parley_bus_bytes_total', 'Bytes that this node sent to the others.')
  new Gauge({
    name: 'parley_nodes',
    help: 'Nodes of this workspace that are there, with this one.',
    registers,
    collect() {
      this.set(bus().peers().length + 1)
    },
  })
  new Gauge({
    name: 'parley_nodes_unheard',
    help: 'Nodes that use the same database and another bus: REDIS_URL is not the same on all nodes.',
    registers,
    collect() {
      this.set(countUnheard())
    },
  })
  new Gauge({
    name: 'parley_bus_unavailable',
    help: '1 if nothing that this node sends comes back, so events of other nodes arrive a little later.',
    registers,
    collect() {
      this.set(bus().isUnavailable() ? 1 : 0)
    },
  })
  return {
    onEcho: (seconds) => delays.observe(seconds),
    onMissed: () => missed.inc(),
    onDropped: (count) => dropped.inc(count),
    onIgnored: () => ignored.inc(),
    onSent: (bytes) => sent.inc(bytes),
  }
}
