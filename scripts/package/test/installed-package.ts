import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { atEnd } from '../../../server/test/support/cleanup.ts'
import { root } from '../../run-node.mjs'
import { assemblePackage } from '../assemble-package.ts'

/**
 * Installs the package as npm does, with the packages that it declares and no others. Ends when the test file ends.
 */
export async function installPackage() {
  const installed = await newFolder()
  const out = join(installed, 'node_modules/@parley/chat')
  await assemblePackage(out, [])
  const client = join(root, 'dist/web')
  if (existsSync(client)) await cp(client, join(out, 'dist/web'), { recursive: true })
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(out, 'package.json'), 'utf8'))
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const link = join(installed, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    if (existsSync(join(root, 'node_modules', name))) await symlink(join(root, 'node_modules', name), link, 'junction')
  }
  return { out, program: join(out, 'scripts/package/parley.mjs') }
}

export async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-package-'))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The command `parley` in a folder, without the settings of this process. */
export function commandIn(folder: string, program: string, settings: NodeJS.ProcessEnv = {}) {
  const { DATABASE_URL: _, LONG: __, ...rest } = process.env
  const env = { ...rest, RATE_LIMIT: 'off', HOST: '127.0.0.1', LOG_LEVEL: 'error', ...settings }
  const options = { cwd: folder, env }

  /** Runs a command. @returns its output, and whether it succeeded */
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [program, ...args], options).then(
      ({ stdout, stderr }) => ({ isDone: true, text: stdout + stderr }),
      ({ stdout, stderr }) => ({ isDone: false, text: stdout + stderr }),
    )

  /** Starts Parley on the port of the settings, and waits until it is ready. */
  async function start() {
    const child = spawn(process.execPath, [program], options)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    const stop = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    atEnd(stop)
    await expect.poll(() => output).toContain('Parley is ready')
    return { address: /http:\/\/localhost:\d+/.exec(output)?.[0] as string, stop, output: () => output }
  }
  return { run, start }
}
