import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const git = async (...args: string[]) => (await execute('git', args)).stdout.trim()

/**
 * The first migration under the rules of docs/decisions/0022-upgrades.md. As long as no version is tagged, the version before it
 * counts as the last release.
 */
const FIRST_BY_THE_RULES = 'server/db/migrations/0016-nodes.ts'

interface Release {
  /** The folder of its files, with this version's packages. */
  root: string
  /** Whether its nodes start on the schema of a newer version. */
  isTolerant: boolean
  remove: () => Promise<void>
}

/** Checks out the previous release. Undefined if it is not available: this is not a clone, or one without history. */
export async function checkOutLastRelease(): Promise<Release | undefined> {
  const commit = await findLastRelease().catch(() => undefined)
  if (!commit) {
    console.log('The last release is not part of this clone (fetch its history to test upgrades from it).')
    return undefined
  }
  const root = await mkdtemp(join(tmpdir(), 'parley-last-release-'))
  const archive = join(root, 'release.tar')
  await git('archive', `--output=${archive}`, commit)
  await execute('tar', ['-xf', archive, '-C', root])
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'), 'junction')
  return {
    root,
    isTolerant: existsSync(join(root, FIRST_BY_THE_RULES)),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

async function findLastRelease(): Promise<string> {
  if (await git('rev-parse', '--show-prefix')) throw new Error('another repository')
  // Excludes this version, in case it is tagged.
  const tag = await git('describe', '--tags', '--abbrev=0', '--match=v[0-9]*', 'HEAD^').catch(() => undefined)
  if (tag) return tag
  const added = await git('log', '--diff-filter=A', '--format=%H', '--max-count=1', '--', FIRST_BY_THE_RULES)
  return git('rev-parse', '--verify', '--quiet', `${added}^`)
}
