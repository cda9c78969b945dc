import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { atEnd } from '../../../server/test/support/cleanup.ts'
import { root } from '../../run-node.mjs'

interface Locked {
  version: string
  path: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

/**
 * A registry for npm on this machine, with the packages of the lockfile, made of what is installed here. Ends with the test file.
 */
export async function openRegistry() {
  const packages = await readLockfile()
  let tarballsLeft = Number.POSITIVE_INFINITY

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent((request.url as string).slice(1))
    const [, folder] = /^-\/(.*)\.tgz$/.exec(path) ?? []
    if (folder) return sendTarball(join(root, folder), response, tarballsLeft-- > 0)
    const versions = packages.get(path)
    if (!versions) return void response.writeHead(404).end('{}')
    const described = await Promise.all(versions.map((it) => describe(path, it, address)))
    const latest = versions[0]?.version
    response.end(
      JSON.stringify({
        name: path,
        'dist-tags': { latest },
        versions: Object.fromEntries(described.map((it) => [it.version, it])),
      }),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    address,
    /** Breaks off in the middle of the file after this many, and refuses connections from then on. */
    failAfter(tarballs: number) {
      tarballsLeft = tarballs
    },
  }

  function sendTarball(folder: string, response: ServerResponse, isWhole: boolean) {
    const tar = spawn('tar', ['-c', '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', folder, '.'])
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    if (isWhole) return void tar.stdout.pipe(createGzip({ level: 1 })).pipe(response)
    tar.kill()
    response.write(Buffer.alloc(1000))
    setImmediate(() => {
      server.close()
      server.closeAllConnections()
    })
  }
}

/** The versions of each package, by its name. */
async function readLockfile() {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const found = new Map<string, Locked[]>()
  for (const [path, entry] of Object.entries<Omit<Locked, 'path'> & { name?: string }>(lock.packages)) {
    const name = entry.name ?? path.split('node_modules/').at(-1)
    if (name && path) found.set(name, [...(found.get(name) ?? []), { ...entry, path }])
  }
  return found
}

async function describe(name: string, { version, path, os, cpu, libc }: Locked, address: string) {
  const file = join(root, path, 'package.json')
  // Those of other platforms are not installed here.
  const manifest = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : {}
  return {
    ...manifest,
    name,
    version,
    os,
    cpu,
    libc,
    dist: { tarball: `${address}/-/${encodeURIComponent(path)}.tgz` },
  }
}
