import { afterAll, vi } from 'vitest'
import { endAll } from './cleanup.ts'

// The test files of a worker share their modules, because loading them takes longer than running most files.
afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await endAll()
})
