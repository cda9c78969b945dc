import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPushKeys, firstPair } from './push-keys.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('the keys follow from the secret and the workspace', () => {
  const keys = createPushKeys('a secret of the nodes', 'one')
  expect(createPushKeys('a secret of the nodes', 'one')).toEqual(keys)
  const others = [createPushKeys('a secret of the nodes', 'two'), createPushKeys('another secret', 'one')]
  const all = [keys, ...others]
  expect(new Set(all.map(({ publicKey }) => publicKey)).size).toBe(3)
  expect(new Set(all.map(({ privateKey }) => privateKey)).size).toBe(3)
})

test('the keys are a pair of P-256', () => {
  const { publicKey, privateKey } = createPushKeys('a secret of the nodes', 'one')
  expect(bytes(publicKey)).toHaveLength(65)
  expect(bytes(publicKey)[0]).toBe(4)
  expect(bytes(privateKey)).toHaveLength(32)
  const [ours, theirs] = [createECDH('prime256v1'), createECDH('prime256v1')]
  ours.setPrivateKey(bytes(privateKey))
  theirs.generateKeys()
  expect(theirs.computeSecret(bytes(publicKey)).equals(ours.computeSecret(theirs.getPublicKey()))).toBe(true)
})

test('the same secret gives the same keys in every version', () => {
  // Browsers would have to subscribe again.
  expect(createPushKeys('a secret of the nodes', 'one').publicKey).toBe(
    'BBK3yIUS3inYaKPEEgWFBhBmrTa-zENrDaYHv1ogkQKbEomRduUoReaL8c6NWxGAw3iLyGV1TqCtA-lTnYuB1M8',
  )
})

test('what is no scalar of the curve is skipped', () => {
  const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')
  const one = Buffer.alloc(32)
  one[31] = 1
  const candidates = [Buffer.alloc(32), order, Buffer.alloc(32, 0xff), one]
  expect(firstPair((attempt) => candidates[attempt] as Buffer).privateKey).toBe(one.toString('base64url'))
})
