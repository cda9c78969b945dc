import { afterAll, vi } from 'vitest'

const { fetch } = globalThis

// The test files of a worker share packages, which halves their run time, but not our modules, which hold the state of a page, nor
// what a file has replaced.
afterAll(() => {
  globalThis.fetch = fetch
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.resetModules()
})
