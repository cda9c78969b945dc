// Starts the version of Parley that it belongs to, but tries the next one before, if there is one. The launchers at home, `npm start`
// and `parley`, start it.
import { home, root, SERVER, serve } from '../run-node.mjs'
import { tryNext } from './try-next.mjs'
import { findNext, rootOf } from './versions.mjs'

// A launcher that tries this version has decided.
if (!process.env['PARLEY_SUPERVISED']) {
  const named = findNext(home)
  process.env['PARLEY_NAMED_AT'] = named?.namedAt ?? ''
  if (named && rootOf(home, named.next) !== root) await tryNext(named)
}
await serve(SERVER)
