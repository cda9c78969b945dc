import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { isPassphrase, MIN_PASSPHRASE_LENGTH } from '../../server/config/backup-settings.ts'
import type { Config } from '../../server/config/config.ts'
import { StartError } from '../../server/config/start-error.ts'

/** A new passphrase for the secrets: BACKUP_PASSPHRASE, or one that is typed twice. @throws StartError */
export async function choosePassphrase({ backup }: Config): Promise<string> {
  if (backup.passphrase !== undefined) return backup.passphrase
  if (!process.stdin.isTTY)
    throw new StartError('Set BACKUP_PASSPHRASE: the secrets are part of a backup only if a passphrase encrypts them.')
  const passphrase = await ask(`A passphrase for the secrets, of at least ${MIN_PASSPHRASE_LENGTH} characters: `)
  if (!isPassphrase(passphrase)) throw new StartError('It is too short. Nothing was backed up.')
  if ((await ask('Again: ')) !== passphrase) throw new StartError('They differ. Nothing was backed up.')
  return passphrase
}

/** The passphrase of a backup: BACKUP_PASSPHRASE, or one that is typed. @throws StartError */
export async function askPassphrase({ backup, dataDir }: Config): Promise<string> {
  if (backup.passphrase !== undefined) return backup.passphrase
  if (process.stdin.isTTY) return ask("The passphrase of the backup's secrets: ")
  throw new StartError(
    `The secrets of this backup are encrypted: set BACKUP_PASSPHRASE to their passphrase, or put the saved secrets.json into ${dataDir}.`,
  )
}

/** Asks on the terminal, even if the output goes into a file, without showing what is typed. @throws StartError after Ctrl-C or Ctrl-D */
async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('')
  } catch {
    throw new StartError('Stopped.')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
