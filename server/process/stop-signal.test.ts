import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const here = (file: string) => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)))

/** Prints its id, and a line once it is asked to stop. */
const PROGRAM = `
  import { stopSignal } from ${here('stop-signal.ts')}
  const parent = process.env.PARLEY_PARENT_PID
  const { stopped } = stopSignal(parent ? Number(parent) : undefined)
  const running = setInterval(() => {}, 1000)
  console.log('running ' + process.pid)
  await stopped
  console.log('asked to stop')
  clearInterval(running)`

const node = (program: string) => [process.execPath, '--input-type=module', '-e', program] as const

/** Starts the program from a shell that waits for it, like npm. */
function startBelowShell(command: readonly string[]) {
  const shell = spawn('sh', ['-c', '"$@"; exit', 'sh', ...command], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void shell.kill('SIGKILL'))
  let output = ''
  shell.stdout.on('data', (chunk) => {
    output += chunk
  })
  return { shell, output: () => output, closed: once(shell.stdout, 'close') }
}

const runningPid = async (output: () => string) => {
  await expect.poll(output).toMatch(/running \d+\n/)
  return Number(/running (\d+)/.exec(output())?.[1])
}

const end = (child: ChildProcess) => {
  child.kill('SIGKILL')
  return once(child, 'exit')
}

test.skipIf(process.platform === 'win32')(
  'the program keeps the launcher’s process id, and stops when its parent shell has exited',
  async () => {
    const become = `const { become } = await import(${here('../../scripts/run-node.mjs')})
      console.log('launcher ' + process.pid)
      become(['--input-type=module', '-e', ${JSON.stringify(PROGRAM)}])`
    const { shell, output, closed } = startBelowShell(node(become))
    const pid = await runningPid(output)
    onTestFinished(() => {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has exited, as expected.
      }
    })
    expect(output()).toContain(`launcher ${pid}\n`)
    await end(shell)
    await closed
    expect(output()).toContain('asked to stop')
  },
)

test('a signal requests a stop', async () => {
  const [program, ...args] = node(PROGRAM)
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await runningPid(() => output)
  child.kill('SIGTERM')
  await once(child.stdout, 'close')
  expect(output).toContain('asked to stop')
})
