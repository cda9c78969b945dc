// Prints a one-time link to set a new password, for example for an owner who lost theirs. With --second-factor, the link also
// removes their second factor.
import { StartError } from '../server/config/start-error.ts'
import { openDatabase } from '../server/db/database.ts'
import { requireMigrated } from '../server/db/migrate.ts'
import { createPasswordReset } from '../server/identity/password-resets.ts'
import { findAccount } from '../server/identity/sign-in-guard.ts'
import { commandLine } from '../server/installation.ts'
import { openPostgres } from './open-postgres.ts'
import { runCommand } from './run-command.ts'

await runCommand({ 'second-factor': { type: 'boolean' } }, async (config, flags, name = '') => {
  if (!name) throw new StartError(`Say whose password: ${commandLine('reset-password', 'ada')}, or an e-mail address.`)
  const { url, stop } = await openPostgres(config)
  const { db } = openDatabase(url, { onError: console.error })
  try {
    await requireMigrated(db)
    const account = await findAccount(db, name.includes('@') ? 'email' : 'username', name)
    if (!account) throw new StartError(`Nobody here is called ${name}.`)
    const { code } = await db.transaction().execute((tx) =>
      createPasswordReset(tx, config, {
        userId: account.id,
        createdBy: null,
        endsSecondFactor: flags['second-factor'] === true,
        source: {},
      }),
    )
    const origin = config.publicUrl ?? `http://localhost:${config.port}`
    console.log(`Open this link within 24 hours, while Parley runs:\n${origin}/new-password#${code}`)
  } finally {
    await db.destroy()
    await stop()
  }
})
