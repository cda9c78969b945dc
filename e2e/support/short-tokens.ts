import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import pg from 'pg'
import { loadOrCreateSecrets } from '../../server/config/secrets.ts'
import { uniqueName } from './fixtures.ts'

/** Adds a signing key to the server's, and returns a function that signs short-lived tokens with it. */
export async function shortTokens(dataDir: string) {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const [, , , port] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const { database } = await loadOrCreateSecrets(dataDir)
  const client = new pg.Client({ connectionString: `postgres://parley:${database}@127.0.0.1:${port}/parley` })
  await client.connect()
  const id = uniqueName('key')
  await client.query(
    `insert into signing_keys (id, "publicKey", "privateKey", alg, "createdAt") values ($1, $2, 'unused', 'EdDSA', '2020-01-01')`,
    [id, JSON.stringify(await exportJWK(publicKey))],
  )
  await client.end()
  return (token: string, seconds: number) =>
    new SignJWT(decodeJwt(token))
      .setExpirationTime(`${seconds}s`)
      .setProtectedHeader({ alg: 'EdDSA', kid: id })
      .sign(privateKey)
}
