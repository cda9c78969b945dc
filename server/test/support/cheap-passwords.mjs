// Preloaded into every process of a test run (NODE_OPTIONS): a password is hashed in microseconds instead of 85 ms of processor
// time, of which a run has thousands. No setting of Parley can do that.
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto
const CHEAP = { N: 16 }
/** @type {(...call: any[]) => void} */
const cheapScrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, ...CHEAP }, done)
Object.assign(crypto, { scrypt: cheapScrypt })
// For modules that import it by name.
syncBuiltinESMExports()
