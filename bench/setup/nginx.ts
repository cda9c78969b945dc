import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from './cleanup.ts'
import { ended, temporaryFolder } from './start-parley.ts'

export interface Nginx {
  /** On 127.0.0.1. */
  port: number
  /** The folder served below `/`; PUT is accepted below `/up/`. */
  folder: string
}

/** A Parley with `X_ACCEL_REDIRECT` /stored-files/, for which nginx sends the files. */
interface Behind {
  port: number
  dataDir: string
}

/** Starts the machine's nginx with one worker and without a log; undefined if there is none. */
export async function startNginx(cleanup: Cleanup, behind?: Behind): Promise<Nginx | undefined> {
  const home = await temporaryFolder(cleanup)
  const folder = join(home, 'files')
  await mkdir(join(folder, 'up'), { recursive: true })
  const port = await freePort()
  await writeFile(join(home, 'nginx.conf'), configuration(home, folder, port, behind))
  const options = ['-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr']
  const child = spawn('nginx', options, { stdio: 'ignore' })
  let isThere = true
  child.once('error', () => {
    isThere = false
  })
  child.once('exit', () => {
    isThere = false
  })
  await cleanup.add(() => (isThere ? ended(child, () => child.kill('SIGTERM')) : Promise.resolve()))
  while (isThere && !(await answers(port))) await sleep(20)
  return isThere ? { port, folder } : undefined
}

const configuration = (home: string, folder: string, port: number, behind?: Behind) => `
daemon off;
master_process off;
pid ${home}/pid;
events {}
http {
  access_log off;
  sendfile on;
  client_max_body_size 0;
  client_body_temp_path ${home}/incoming;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    keepalive_requests 10000000;
    location /up/ { dav_methods PUT; }
    ${behind ? 'location /api/ { proxy_pass http://parley; proxy_http_version 1.1; proxy_set_header Connection ""; }' : ''}
    ${behind ? `location /stored-files/ { internal; alias ${join(behind.dataDir, 'files')}/; }` : ''}
  }
  ${behind ? `upstream parley { server 127.0.0.1:${behind.port}; keepalive 16; }` : ''}
}
`

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
