import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { STATE_TIMEOUT_MS } from '../support/timeouts.ts'
import { findProgram } from './find-program.ts'

const DOCUMENT = 'docs/running/several-nodes.md'
/** The addresses of the nodes in the document. */
const NODES = ['10.0.0.11:3000', '10.0.0.12:3000']

interface Program {
  /** Replacements in the documented configuration, so that it serves plain HTTP on a local port. */
  replace: (port: number) => [what: RegExp, by: string][]
  /** The complete file. */
  complete: (documented: string, folder: string) => string
  args: (file: string, folder: string) => string[]
}

const programs = {
  haproxy: {
    replace: (port) => [
      [/bind :443 .*/, `bind 127.0.0.1:${port}`],
      [/http-request redirect scheme https .*/, ''],
      [/bind :80/, ''],
      [/X-Forwarded-Proto https/, 'X-Forwarded-Proto http'],
      [/ secure\b/, ''],
    ],
    complete: (documented) => documented,
    args: (file) => ['-db', '-f', file],
  },
  nginx: {
    replace: (port) => [
      [/listen 443 .*;/, `listen 127.0.0.1:${port};`],
      [/ssl_certificate .*;/, ''],
      [/ssl_certificate_key .*;/, ''],
      [/; Secure/, ''],
    ],
    complete: (documented, folder) => `
      daemon off;
      pid ${folder}/pid;
      error_log stderr notice;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
        ${documented}
      }`,
    args: (file, folder) => ['-p', folder, '-e', 'stderr', '-c', file],
  },
  caddy: {
    replace: (port) => [[/^chat\.example\.com \{/m, `http://127.0.0.1:${port} {`]],
    complete: (documented) => `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${documented}`,
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
} satisfies Record<string, Program>

export type BalancerName = keyof typeof programs
export const balancerNames = Object.keys(programs) as BalancerName[]

/** The code blocks of a language in the document, joined. */
async function documentedConfiguration(language: string) {
  const document = await readFile(DOCUMENT, 'utf8')
  const blocks = [...document.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))]
  if (blocks.length === 0) throw new Error(`${DOCUMENT} has no configuration for ${language}`)
  return blocks.map(([, code]) => code).join('\n')
}

function replaceAll(text: string, replacements: [what: RegExp | string, by: string][]) {
  return replacements.reduce((before, [what, by]) => {
    const after = before.replace(what, by)
    if (after === before) throw new Error(`${DOCUMENT} does not have ${what}`)
    return after
  }, text)
}

/**
 * Runs a load balancer with the configuration of docs/running/several-nodes.md. Undefined if it is not available here.
 * @param ports of the two nodes on 127.0.0.1
 */
export async function startBalancer(name: BalancerName, ports: [number, number]) {
  const path = findProgram(name)
  if (!path) return undefined
  const program: Program = programs[name]
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), `parley-${name}-`))
  const nodes = NODES.map((node, i): [string, string] => [node, `127.0.0.1:${ports[i]}`])
  const documented = replaceAll(await documentedConfiguration(name), [...nodes, ...program.replace(port)])
  const file = join(folder, 'configuration')
  await writeFile(file, program.complete(documented, folder))

  let output = ''
  const child = spawn(path, program.args(file, folder), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const ended = once(child, 'exit')
  const address = `http://127.0.0.1:${port}`
  async function stop() {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  /** Takes out the second node as documented for nginx, which has no health checks: marks it as down and reloads. */
  async function takeOutSecond() {
    const node = `server 127.0.0.1:${ports[1]}`
    await writeFile(file, program.complete(replaceAll(documented, [[node, `${node} down`]]), folder))
    child.kill('SIGHUP')
    while (!output.includes('gracefully shutting down')) await sleep(20)
  }
  for (const end = Date.now() + STATE_TIMEOUT_MS; ; await sleep(20)) {
    const isReady = await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return { name, address, stop, takeOutSecond }
    if (child.exitCode === null && Date.now() < end) continue
    await stop()
    throw new Error(`${name} did not start: ${output}`)
  }
}

export type Balancer = NonNullable<Awaited<ReturnType<typeof startBalancer>>>
