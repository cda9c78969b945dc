import { beforeAll, expect, test } from 'vitest'
import { bounds } from '../limits/bounds.ts'
import { type Person, startParley } from '../test/support/parley.ts'

const TOKEN = 'a-token-for-those-who-watch'

let parley: Awaited<ReturnType<typeof startParley>>
let guarded: Awaited<ReturnType<typeof startParley>>
let ada: Person

beforeAll(async () => {
  const rates = { ...bounds.rates, writes: { perSecond: 1, burst: 20 } }
  parley = await startParley({ RATE_LIMIT: 'on' }, undefined, { rates })
  guarded = await startParley({ METRICS_TOKEN: TOKEN })
  ada = await parley.person('ada')
})

/** All samples, by name and labels. */
async function samples() {
  const answer = await fetch(`${parley.address}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

test('metrics label responses by call, never by URL', async () => {
  const { channels } = (await ada.get('/api/channels')).body
  const { id } = await ada.say(channels[0].id, 'counted')
  await ada.get(`/api/messages/channel/${channels[0].id}?limit=7`)
  await ada.get('/api/nothing/7')
  await ada.get('/api/users/nobody')
  await expect
    .poll(async () => {
      const found = await samples()
      return [
        found.get('parley_http_requests_total{method="GET",route="/api/messages/channel/:channelId",status="200"}'),
        found.get('parley_http_requests_total{method="POST",route="/api/messages",status="201"}'),
        found.get('parley_http_requests_total{method="GET",route="/api/users/:userId",status="404"}'),
        found.get('parley_http_requests_total{method="GET",route="none",status="404"}'),
        found.get('parley_http_request_duration_seconds_count{method="POST",route="/api/messages"}'),
        found.get('parley_http_request_duration_seconds_bucket{le="+Inf",method="POST",route="/api/messages"}'),
        found.get('parley_events_published_total{event="message:created"}'),
      ]
    })
    .toEqual([1, 1, 1, 1, 1, 1, 1])
  const names = [...(await samples()).keys()].join('\n')
  for (const secret of [ada.id, channels[0].id, id, ada.token, ada.email]) expect(names).not.toContain(secret)
})

test('metrics cover sockets, refusals, connections, memory and the event loop', async () => {
  const before = await samples()
  expect(before.get('parley_sockets{transport="websocket"}')).toBe(0)
  const { socket } = await ada.listen()
  socket.emit('nonsense')
  await Promise.all(Array.from({ length: 100 }, () => ada.put('/api/users/status', { user_status: '🎧' })))
  const found = await samples()
  expect(found.get('parley_sockets{transport="websocket"}')).toBe(1)
  expect(found.get('parley_connections')).toBe(1)
  expect(found.get('parley_socket_events_dropped_total{why="unknown"}')).toBe(1)
  expect(found.get('parley_rate_limited_total{rate="writes"}')).toBeGreaterThan(0)
  expect(found.get('parley_database_connections{pool="main",state="idle"}')).toBeGreaterThan(0)
  for (const name of ['requests', 'writer']) expect(found.get(`parley_queue_length{queue="${name}"}`)).toBe(0)
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_start_time_seconds'])
    expect(found.get(name)).toBeGreaterThan(0)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes'])
    expect(found.get(name)).toBeGreaterThan(0)
})

test('without a token only localhost can read the metrics, and not through a proxy', async () => {
  const statusFor = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (await parley.app.inject({ url: '/metrics', headers: { host: 'localhost:3000', ...headers }, remoteAddress }))
      .statusCode
  expect(await statusFor({})).toBe(200)
  expect(await statusFor({}, '::1')).toBe(200)
  expect(await statusFor({}, '10.0.0.7')).toBe(404)
  expect(await statusFor({ host: 'chat.example.com' })).toBe(404)
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
    expect(await statusFor({ [header]: '127.0.0.1' })).toBe(404)
  expect(await statusFor({ authorization: `Bearer ${ada.token}`, host: 'chat.example.com' })).toBe(404)
})

test('behind a proxy, a loopback address gives no access to the metrics, whatever headers the proxy sends', async () => {
  for (const [settings, expected] of [
    [{ PUBLIC_URL: 'https://chat.example.com' }, 404],
    [{ TRUST_PROXY: 'loopback' }, 404],
    [{ PUBLIC_URL: 'http://localhost:3000' }, 200],
  ] as const) {
    const { app, stop } = await startParley(settings)
    // What nginx sends if only `proxy_pass` is configured.
    const headers = { host: '127.0.0.1:3000', connection: 'close' }
    expect([settings, (await app.inject({ url: '/metrics', headers })).statusCode]).toEqual([settings, expected])
    await stop()
  }
})

test('a token gives access to the metrics from anywhere', async () => {
  const statusFor = async (headers: Record<string, string>) =>
    (await guarded.app.inject({ url: '/metrics', headers, remoteAddress: '10.0.0.7' })).statusCode
  expect(await statusFor({ authorization: `Bearer ${TOKEN}` })).toBe(200)
  for (const wrong of ['', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, 'Bearer '])
    expect(await statusFor({ authorization: wrong })).toBe(404)
  expect((await guarded.app.inject({ url: '/metrics', headers: { host: 'localhost' } })).statusCode).toBe(404)
})
