import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { atEnd } from '../../server/test/support/cleanup.ts'
import { freePort } from '../../server/test/support/free-port.ts'
import { signUpClient } from '../../server/test/support/server-process.ts'
import { newFolder } from '../package/test/installed-package.ts'
import { root } from '../run-node.mjs'
import { openRegistry } from './test/registry.ts'

const START_TIMEOUT_MS = 300_000

const execute = promisify(execFile)
const git = async (folder: string, ...args: string[]) =>
  (
    await execute('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
  ).stdout.trim()

/** A repository of this version, which is tagged, and of a later one that can't be built. */
async function openRepository() {
  const folder = await newFolder()
  const files = (await git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')).split('\0')
  await execute('tar', ['-cf', join(folder, 'all.tar'), '--ignore-failed-read', ...files.filter(Boolean)], {
    cwd: root,
  })
  await execute('tar', ['-xf', 'all.tar'], { cwd: folder })
  await rm(join(folder, 'all.tar'))
  const lockfile = join(folder, 'package-lock.json')
  // The registry packs the files anew.
  await writeFile(lockfile, (await readFile(lockfile, 'utf8')).replaceAll(/"integrity": "[^"]+",?\s*/g, ''))
  await git(folder, 'init', '--quiet', '--initial-branch=main')
  const commit = async (tag: string) => {
    await git(folder, 'add', '--all')
    await git(folder, 'commit', '--quiet', '--message', tag)
    await git(folder, 'tag', tag)
  }
  await commit('v1')
  const manifest = join(folder, 'package.json')
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(/"version": "[^"]+"/, '"version": "99.0.0"'))
  await commit('v2')
  await writeFile(join(folder, 'web/main.tsx'), 'const = broken')
  await commit('v3')
  return folder
}

test('a clone changes to a tag, keeps that if another one can’t be built, and returns', {
  timeout: 600_000,
}, async () => {
  const [repository, registry, parent] = await Promise.all([openRepository(), openRegistry(), newFolder()])
  const clone = join(parent, 'parley')
  await git(parent, 'clone', '--quiet', '--branch', 'v1', repository, clone)
  const { DATABASE_URL: _, LONG: __, npm_execpath: ___, NODE_ENV: ____, ...rest } = process.env
  const npm = { npm_config_registry: registry.address, npm_config_cache: await newFolder() }
  const settings = { PORT: String(await freePort()), HOST: '127.0.0.1', LOG_LEVEL: 'error', RATE_LIMIT: 'off' }
  const options = { cwd: clone, env: { ...rest, ...npm, ...settings } }
  const run = (...args: string[]) =>
    execute('npm', ['run', ...args], options).then(
      ({ stdout, stderr }) => ({ isDone: true, text: stdout + stderr }),
      ({ stdout, stderr }) => ({ isDone: false, text: stdout + stderr }),
    )

  const { output, stop } = await start(spawn(process.execPath, ['scripts/start.mjs'], options))
  const address = `http://127.0.0.1:${settings.PORT}`
  const ada = await signUpClient(address, 'ada')
  const channelId = (await ada.call('GET', '/api/channels')).body.channels[0].id
  await ada.call('POST', '/api/messages', { channelId, content: 'Written in v1' })
  const commitOf = async (tag: string) => (await git(clone, 'rev-parse', tag)).slice(0, 7)

  // What the clone itself became meanwhile doesn't matter.
  await writeFile(join(clone, 'web/main.tsx'), 'const = broken')
  const works = await run('upgrade', '--', 'v2')
  expect(works).toEqual({
    isDone: true,
    text: expect.stringContaining(`Parley 99.0.0-${await commitOf('v2')} is running.`),
  })
  expect(output()).toContain(`to 99.0.0-${await commitOf('v2')}; migrations: none.`)
  await git(clone, 'checkout', 'web/main.tsx')
  expect(await git(clone, 'status', '--porcelain')).toBe('')
  expect(await git(clone, 'rev-parse', 'HEAD')).toBe(await git(clone, 'rev-parse', 'v1'))

  const broken = await run('upgrade', '--', 'v3')
  expect(broken).toEqual({ isDone: false, text: expect.stringContaining('The present one was not changed.') })
  expect(await run('upgrade', '--', 'v4')).toEqual({
    isDone: false,
    text: expect.stringContaining('Git doesn\'t find "v4"'),
  })
  expect(await git(clone, 'worktree', 'list')).not.toContain(await commitOf('v3'))
  expect((await run('health')).text).toContain('Parley is ready.')
  await stop()

  const again = await start(spawn(process.execPath, ['scripts/start.mjs'], options))
  expect(again.output()).toContain(`99.0.0-${await commitOf('v2')}, which "npm run upgrade" installed.`)
  const { body } = await ada.call('GET', `/api/messages/channel/${channelId}`)
  expect(JSON.stringify(body)).toContain('Written in v1')
  expect(await run('upgrade', '--', '--back')).toMatchObject({ isDone: true })
  await again.stop()
})

async function start(child: ChildProcess) {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  atEnd(stop)
  const isOver = () => output.includes('Parley is ready') || child.exitCode !== null
  await expect.poll(isOver, { timeout: START_TIMEOUT_MS }).toBe(true)
  expect(output).toContain('Parley is ready')
  return { output: () => output, stop }
}
