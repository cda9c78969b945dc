// A node whose bus has a separate URL, BUS_URL, so that a proxy in front of it can fail.
import type { AddressInfo } from 'node:net'
import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { loadSecrets } from '../../server/config/secrets.ts'

const config = readConfig(process.env)
const [databaseUrl, busUrl] = [config.databaseUrl as string, process.env['BUS_URL'] as string]
const app = await buildApp({ config, databaseUrl, busUrl, secret: (await loadSecrets(config)).identity })
await app.listen({ port: config.port, host: config.host })
console.log(`ready: http://localhost:${(app.server.address() as AddressInfo).port}`)
