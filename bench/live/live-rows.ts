// All rows about live connections, on one server.
import type { Cleanup } from '../setup/cleanup.ts'
import { type FanOutPace, type FanOutRow, measureFanOut } from './fan-out.ts'
import { type IdleRow, measureIdle } from './idle.ts'
import { type KillPace, type KillRow, measureKill } from './kill.ts'
import { openPopulatedServer } from './populated-server.ts'
import { measureQuietSends, type QuietSendsRow } from './quiet-sends.ts'

interface LivePace {
  people: number
  /** The numbers of sockets of the fan-out rows, and of the other two rows. */
  fanOutTo: number[]
  sockets: number
  fanOut: FanOutPace
  idleSeconds: number
  quiet: { sockets: number; sendsPerSecond: number; seconds: number }
  kill: KillPace
}

interface LiveRows {
  /** The number of people; each has several sockets, like tabs. */
  people: number
  fanOut: FanOutRow[]
  quiet: QuietSendsRow
  idle: IdleRow
  kill: KillRow
}

/** The full run takes about six minutes, the quick one about one. */
export const full: LivePace = {
  people: 250,
  fanOutTo: [100, 1000, 5000],
  sockets: 5000,
  fanOut: { rounds: 3, seconds: 3, deliveriesPerSecond: 10_000 },
  idleSeconds: 20,
  quiet: { sockets: 100, sendsPerSecond: 20, seconds: 20 },
  kill: { sendsPerSecond: 100, before: 5, after: 15 },
}
export const quick: LivePace = {
  people: 100,
  fanOutTo: [100, 500],
  sockets: 500,
  fanOut: { rounds: 2, seconds: 1, deliveriesPerSecond: 10_000 },
  idleSeconds: 5,
  quiet: { sockets: 100, sendsPerSecond: 20, seconds: 5 },
  kill: { sendsPerSecond: 100, before: 2, after: 8 },
}

/**
 * All rows about live connections, on a separate server.
 * @param flags Node flags for the server, such as `--cpu-prof`
 * @throws Error if a message was lost, duplicated, or received out of order
 */
export async function measureLive(cleanup: Cleanup, pace: LivePace, flags: string[] = []): Promise<LiveRows> {
  const populatedServer = await openPopulatedServer(pace.people, flags)
  // Without its server a row fails at once, so an interrupted run leaves nothing behind.
  await cleanup.add(populatedServer.close)
  try {
    const idle = await measureIdle(populatedServer, pace.sockets, pace.idleSeconds)
    const { sockets, sendsPerSecond, seconds } = pace.quiet
    const quiet = await measureQuietSends(populatedServer, sockets, sendsPerSecond, seconds)
    const fanOut: FanOutRow[] = []
    for (const sockets of pace.fanOutTo) fanOut.push(await measureFanOut(populatedServer, sockets, pace.fanOut))
    return {
      people: pace.people,
      fanOut,
      quiet,
      idle,
      kill: await measureKill(populatedServer, pace.sockets, pace.kill),
    }
  } finally {
    await populatedServer.close()
  }
}
