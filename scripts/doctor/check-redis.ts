import { Redis } from 'ioredis'
import { asSentence, type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 5_000
const CHANNEL = 'parley_doctor'

/** Redis, over which several nodes talk: whether something that is sent there arrives. */
export async function checkRedis(url: string): Promise<Finding[]> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
  })
  let reason: Error | undefined
  client.on('error', (error) => {
    reason = error
  })
  try {
    await client.connect()
    const arrived = new Promise((resolve) => client.once('message', resolve))
    await client.subscribe(CHANNEL)
    // Since Redis 6, the connection that subscribes may publish as well.
    await client.publish(CHANNEL, '')
    await arrived
    return [ok('Redis delivers messages between nodes.')]
  } catch (error) {
    const { message } = reason ?? (error as Error)
    const hint = /ETIMEDOUT|ECONNRESET|SSL|closed/i.test(message)
      ? ' If it expects TLS, use rediss://; if it does not, redis://.'
      : ''
    return [problem(`Redis can't be used: ${asSentence(message)} Check REDIS_URL.${hint}`)]
  } finally {
    client.disconnect()
  }
}
