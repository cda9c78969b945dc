import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'

const compose = readFileSync('compose.several-nodes.yaml', 'utf8')

/** Values that people set themselves. */
const given: Record<string, string> = {
  DOMAIN: 'chat.example.com',
  SECRET: 'a'.repeat(64),
  PASSWORD: 'b'.repeat(64),
  METRICS_TOKEN: 'c'.repeat(32),
  SIGNUP: 'closed',
}

const filledIn = compose.replaceAll(
  /\$\{(\w+)(?::-(\w*)|:\?[^}]*)?\}/g,
  (_, name: string, otherwise?: string) => given[name] ?? otherwise ?? `no ${name}`,
)

/** The environment of the nodes, which is the first in the file. */
const [, block = ''] = /^ {2}environment:\n((?: {4}.*\n)+)/m.exec(filledIn) ?? []
const environment = Object.fromEntries(
  [...block.matchAll(/^ {4}(\w+): (.*)$/gm)].map(([, name, value]) => [name, value]),
)

it('the settings of the nodes in compose.several-nodes.yaml are valid', () => {
  expect(readConfig(environment)).toMatchObject({
    databaseUrl: `postgres://parley:${given['PASSWORD']}@postgres:5432/parley`,
    redisUrl: 'redis://valkey:6379',
    secret: given['SECRET'],
    publicUrl: 'https://chat.example.com',
    trustProxy: ['10.77.0.0/24'],
    signUp: 'closed',
    metricsToken: given['METRICS_TOKEN'],
    s3: { endpoint: 'http://s3:7070', bucket: 'parley', accessKeyId: 'parley', secretAccessKey: given['PASSWORD'] },
  })
})

it.each(Object.keys(environment))('the nodes of compose.several-nodes.yaml know %s', (name) => {
  const { [name]: _, ...others } = environment
  const configWithout = () => {
    try {
      return readConfig(others)
    } catch (error) {
      return error
    }
  }
  expect(configWithout()).not.toEqual(readConfig(environment))
})

it('compose.several-nodes.yaml has no unset variables, and its stop timeout exceeds the nodes’ own', () => {
  expect(filledIn).not.toMatch(/\$\{|no [A-Z]/)
  const seconds = Number(/stop_grace_period: (\d+)s/.exec(filledIn)?.[1])
  expect(seconds).toBeGreaterThan(readConfig(environment).drainSeconds + 10)
})
