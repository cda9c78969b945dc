import { access, constants, mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { StartError } from './start-error.ts'

/**
 * Creates the data folder unless it exists. Ignores a disk that doesn't respond: it may come back, and otherwise its first use
 * fails.
 * @throws StartError if the folder can't be written to
 */
export async function prepareDataDir(dataDir: string) {
  try {
    await mkdir(dataDir, { recursive: true })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const problem = dataDirProblem(error, dataDir)
    if (problem) throw problem
  }
}

/** A sentence for administrators about a file system error in the data folder; undefined for other errors. */
export function dataDirProblem(error: unknown, dataDir: string): StartError | undefined {
  const { code, path } = error as NodeJS.ErrnoException
  if (!path?.startsWith(dataDir) && !(path && dataDir.startsWith(path))) return undefined
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return noPermission(path, dataDir)
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartError(
        `${path} can't be a folder, because a file is in its place. Move that file, or set DATA_DIR to another folder.`,
      )
    case 'ENOENT':
      return new StartError(
        `DATA_DIR (${dataDir}) is a link to a folder that doesn't exist. Make that folder, or the link anew.`,
      )
    case 'EROFS':
      return new StartError(`The disk of DATA_DIR (${dataDir}) is read-only. Set DATA_DIR to a folder on another disk.`)
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(`The disk of DATA_DIR (${dataDir}) is full. Make room on it, then start Parley again.`)
    default:
      return undefined
  }
}

function noPermission(path: string, dataDir: string): StartError {
  const account = accountName()
  const where = path === dataDir ? `DATA_DIR (${dataDir})` : `${path} in DATA_DIR`
  const way =
    process.platform === 'win32'
      ? 'Give it full access to that folder'
      : `Run "mkdir -p ${dataDir} && chown -R ${account}: ${dataDir}" as root`
  return new StartError(`User ${account} can't read and write ${where}. ${way}, or set DATA_DIR to another folder.`)
}

/** The account that runs Parley. */
export function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the account may have no name.
    return String(process.getuid?.())
  }
}
