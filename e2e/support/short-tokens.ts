import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import pg from 'pg'
import { uniqueName } from './fixtures.ts'

/** Adds a signing key to the server's, and returns a function that signs short-lived tokens with it. */
export async function shortTokens(databaseUrl: string) {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const client = new pg.Client({ connectionString: databaseUrl })
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
