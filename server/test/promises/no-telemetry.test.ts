import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { longTest } from '../support/long.ts'
import { openServerProcess, signUpClient } from '../support/server-process.ts'

/** Loaded into each process and thread of the server: prints the names it looks up and the addresses it connects to. */
const watch = `
  import dgram from 'node:dgram'
  import dns from 'node:dns'
  import net from 'node:net'
  const note = (what) => process.stderr.write('reaches ' + JSON.stringify(what) + '\\n')
  const spy = (object, name, what) => {
    const original = object[name]
    object[name] = function (...args) {
      note(what(args))
      return original.apply(this, args)
    }
  }
  spy(net.Socket.prototype, 'connect', ([first, second]) => {
    if (typeof first === 'string' && isNaN(first)) return first
    if (typeof first !== 'object') return typeof second === 'string' ? second : 'localhost'
    const { host = 'localhost', path } = Array.isArray(first) ? first[0] : first
    return path ?? host
  })
  for (const object of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    for (const name of Object.getOwnPropertyNames(object))
      if (/^(lookup|resolve|reverse)/.test(name)) spy(object, name, ([name]) => name)
  spy(dgram.Socket.prototype, 'send', () => 'datagram')
`
const isLocal = (place: string) => /^(localhost|127\.0\.0\.1|::1|\/.*)$/.test(place)

longTest(
  'a server in use connects to its own database and, for a preview, to the hosts of links, and to nothing else',
  async () => {
    const parley = await openServerProcess({
      LINK_PREVIEWS: 'on',
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=data:text/javascript,${encodeURIComponent(watch)}`,
    })
    await parley.start()
    const reached = () =>
      [...parley.log().matchAll(/^reaches (.+)$/gm)].map(([, place = '']) => JSON.parse(place) as string)

    const ada = await signUpClient(parley.address, 'ada')
    const { body: channel } = await ada.call('POST', '/api/channels', { name: 'quiet' })
    // A name that belongs to nobody.
    const links = 'See https://linked.invalid/picture.png and @assistant-bot'
    const sent = await ada.call('POST', '/api/messages', { channelId: channel.id, content: links })
    expect(sent.status).toBe(201)
    expect((await ada.call('GET', '/api/search?q=picture')).status).toBe(200)
    expect((await ada.call('POST', '/api/workspace/demo')).status).toBe(202)
    await expect.poll(async () => (await ada.call('GET', '/api/workspace/demo')).body.state).toMatch(/filled|greeted/)

    expect(reached().some(isLocal)).toBe(true)
    await expect.poll(reached).toContain('linked.invalid')
    expect(reached().filter((place) => !isLocal(place) && place !== 'linked.invalid')).toEqual([])
  },
)

test('only these files open connections: to the database, to other processes, or to a service that is configured', () => {
  const opens =
    /\bfetch\(|\bcreateTransport\(|\bnew (S3Client|Redis|(pg\.)?Client)\(|\{[^}]*\b(connect|request|get)\b[^}]*\} from 'node:(net|tls|https?)'/
  const files = globSync('server/**/*.ts').map((path) => path.replaceAll('\\', '/'))
  const found = files.filter((path) => !/\.test\.ts$|\/test\//.test(path) && opens.test(readFileSync(path, 'utf8')))
  expect(found.toSorted()).toEqual([
    'server/assistant/model.ts',
    'server/assistant/speech.ts',
    'server/backup/make-backup.ts',
    'server/bus/postgres-transport.ts',
    'server/bus/redis-transport.ts',
    'server/db/connection-problem.ts',
    'server/files/s3.ts',
    'server/identity/provider-requests.ts',
    'server/mail/transport.ts',
    'server/outbound/outbound.ts',
    'server/postgres/postmaster.ts',
    'server/processes/share-connections.ts',
    'server/processes/siblings.ts',
    'server/tls/acme-client.ts',
  ])
})
