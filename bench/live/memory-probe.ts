// Loaded into a measured server before its own code: reports its memory after a garbage collection.
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: (how: object) => void = runInNewContext('gc')

process.on('message', async (request) => {
  if (request !== 'memory') return
  // As under memory pressure; otherwise the process keeps the memory of its busiest second.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  await sleep(500)
  process.send?.({ memory: process.memoryUsage() })
})
process.channel?.unref()
// Exit with the parent process.
process.on('disconnect', () => process.exit())
