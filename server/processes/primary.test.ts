import { afterEach, expect, it, vi } from 'vitest'
import { startProcesses } from './primary.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('says what to do if there is no place for temporary files', async () => {
  vi.stubEnv('TMPDIR', '/proc')
  const options = {
    count: 2,
    program: 'none',
    port: 0,
    host: '127.0.0.1',
    databaseUrl: '',
    secret: '',
    drainSeconds: 0,
  }
  await expect(startProcesses({ ...options, log: () => {} })).rejects.toThrow(
    "Several processes need a folder for temporary files, but /proc can't be used (ENOENT). Set TMPDIR to another one.",
  )
})
