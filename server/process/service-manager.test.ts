import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { notifyReady } from './service-manager.ts'

/** What systemd does with a service of the type `notify`: it listens on a datagram socket. */
const LISTENER = `
import socket, sys
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(sys.argv[1])
print('listening', flush=True)
print(listener.recv(4096).decode(), flush=True)`

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0
const missing = ['systemd-notify', 'python3'].filter((program) => !isThere(program))
if (missing.length > 0) console.log(`Skipped: notifying systemd needs ${missing.join(' and ')}`)

afterEach(() => {
  vi.unstubAllEnvs()
})

test.skipIf(missing.length > 0)('systemd is told when Parley is ready', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-notify-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'socket')
  const listener = spawn('python3', ['-c', LISTENER, path])
  atEnd(() => listener.kill())
  let output = ''
  listener.stdout.on('data', (chunk) => {
    output += chunk
  })
  await expect.poll(() => output).toContain('listening')
  vi.stubEnv('NOTIFY_SOCKET', path)
  notifyReady(console.log)
  await expect.poll(() => output).toContain('READY=1')
})

test('without its program, a warning says that systemd could not be told', async () => {
  vi.stubEnv('NOTIFY_SOCKET', '/run/systemd/notify')
  vi.stubEnv('PATH', '/nowhere')
  expect(await new Promise(notifyReady)).toContain('systemd could not be told that Parley is ready: ')
})
