import { afterAll, vi } from 'vitest'
import { endAll } from './cleanup.ts'

// The test files of a worker share all modules, which take longer to load than most files to run.
afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await endAll()
})
