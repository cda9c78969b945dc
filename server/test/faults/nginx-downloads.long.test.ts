import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { findProgram } from '../services/find-program.ts'
import { atEnd } from '../support/cleanup.ts'
import { PICTURE } from '../support/fixture.ts'
import { freePort } from '../support/free-port.ts'
import { type Person, startParley } from '../support/parley.ts'

// The configuration of docs/running/behind-a-proxy.md, by which nginx itself sends the bytes of downloads.

const DOCUMENT = 'docs/running/behind-a-proxy.md'
const nginx = findProgram('nginx')
const TEXT = Array.from({ length: 50_000 }, (_, i) => `line ${i}\n`).join('')

/** Returns the address of an nginx in front of Parley. */
async function startNginx(program: string, { address: behind, app }: Awaited<ReturnType<typeof startParley>>) {
  const document = await readFile(DOCUMENT, 'utf8')
  const [server = '', location = ''] = [...document.matchAll(/^```nginx\n(.*?)^```/gms)].map(([, code]) => code)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'parley-nginx-'))
  const replacements: [string | RegExp, string][] = [
    [/}\s*$/, `${location}\n}`],
    [/listen 443 .*;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate .*;/, ''],
    [/ssl_certificate_key .*;/, ''],
    ['127.0.0.1:3000', new URL(behind).host],
    ['/var/lib/parley', app.config.dataDir],
  ]
  const documented = replacements.reduce((before, [what, by]) => {
    const after = before.replace(what, by)
    if (after === before) throw new Error(`${DOCUMENT} does not have ${what}`)
    return after
  }, server)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`)
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}
    http { access_log off; ${temporary.join(' ')} ${documented} }`,
  )
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const address = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  return address
}

/** Not `fetch`, which does not support HEAD with a length and may decompress. */
async function get(
  address: string,
  path: string,
  person: Person,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const sent = request(address + path, { method, headers: { authorization: `Bearer ${person.token}`, ...headers } })
  const [response] = await once(sent.end(), 'response')
  return { status: response.statusCode as number, headers: response.headers, body: await buffer(response) }
}

test.skipIf(!nginx)('after Parley has checked a request, nginx sends the same response as Parley would', async () => {
  const direct = await startParley()
  const served = await startParley({ X_ACCEL_REDIRECT: '/stored-files/', TRUST_PROXY: 'loopback' })
  const address = await startNginx(nginx as string, served)

  /** The same file on both servers, with a person who may read it and one who may not. */
  const prepare = async (parley: typeof direct) => {
    const [ada, eve] = [await parley.person('ada'), await parley.person('eve')]
    const { body: channel } = await ada.post('/api/channels', { name: 'kitchen', isPrivate: true })
    const { body: file } = await ada.upload(channel.id, 'lines of\u2028text.txt', TEXT)
    const { body: picture } = await ada.upload(channel.id, 'dot.png', PICTURE)
    return { ada, eve, file, picture }
  }
  const ours = await prepare(direct)
  const theirs = await prepare(served)

  // Removes expected differences: the ids of files, connection headers, and that nginx only announces ranges with whole files.
  const cut = ({ status, headers, body }: Awaited<ReturnType<typeof get>>, { file }: typeof ours) => {
    const { date: _, connection: __, 'keep-alive': ___, server: ____, ...rest } = headers
    if (status === 206) delete rest['accept-ranges']
    return {
      status,
      headers: JSON.parse(JSON.stringify(rest).replaceAll(file.id, 'id')),
      body: body.toString('latin1'),
    }
  }
  const etag = `"${theirs.file.id}"`
  const cases: [headers: Record<string, string>, method?: string][] = [
    [{}],
    [{}, 'HEAD'],
    [{ range: 'bytes=100-199' }],
    [{ range: 'bytes=-50' }],
    [{ range: 'bytes=400000-' }],
    [{ range: 'bytes=100-199', 'if-range': 'ETAG' }],
    [{ range: 'bytes=100-199', 'if-range': '"another"' }],
    [{ range: 'bytes=99999999-' }],
    [{ range: 'bytes=1-2,5-6' }],
    // Headers that the two interpret differently.
    [{ range: 'bytes=100-199', 'if-match': 'ETAG' }],
    [{ 'if-match': 'ETAG' }],
    [{ range: 'bytes=100-', 'if-unmodified-since': new Date(0).toUTCString() }],
    [{ range: 'bytes=100-199', 'if-range': new Date(Date.now() + 60_000).toUTCString() }],
    [{ range: 'bytes=9-5' }],
    [{ range: 'bytes=0-99999999999999999999' }],
    [{ range: 'bytes=-99999999999999999999' }],
    [{ range: 'bytes=five-six' }],
    [{ range: 'BYTES= 5-6' }],
    [{ range: 'lines=1-2' }],
    [{ 'if-none-match': 'ETAG' }],
    [{ 'if-modified-since': new Date(Date.now() + 60_000).toUTCString() }],
  ]
  for (const [headers, method] of cases) {
    const withEtag = (id: string) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('ETAG', `"${id}"`)]))
    const expected = await get(direct.address, ours.file.url, ours.ada, withEtag(ours.file.id), method)
    const found = await get(address, theirs.file.url, theirs.ada, withEtag(theirs.file.id), method)
    expect(cut(found, theirs), JSON.stringify([headers, method])).toEqual(cut(expected, ours))
  }
  expect((await get(address, theirs.file.url, theirs.ada)).headers.etag).toBe(etag)
  const thumbnail = await get(address, theirs.picture.thumbnailUrl, theirs.ada)
  expect(thumbnail).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } })

  expect((await get(address, theirs.file.url, theirs.eve)).status).toBe(404)
  // Its bytes did not pass through Parley, and the internal path is inaccessible to others.
  const led = await get(served.address, theirs.file.url, theirs.ada)
  const path = led.headers['x-accel-redirect'] as string
  expect(path).toMatch(/^\/stored-files\//)
  expect(led.body).toHaveLength(0)
  expect((await get(address, path, theirs.ada)).status).toBe(404)
})
