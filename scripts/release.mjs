// `npm run release -- minor`: sets the next version, closes the changelog's section, names the package in the manuals, keeps a database
// of it for the tests of later versions, commits, and tags the commit. The argument is that of `npm version`, whose own scripts .npmrc switches off.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginRelease, nameVersion } from './release/texts.mjs'
import { root } from './run-node.mjs'

const kind = process.argv[2] ?? refuse('Say which: npm run release -- major, minor or patch, or a version.')
if (run('git', 'status', '--porcelain')) refuse('Commit everything first.')

const { version: before } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const version = run('npm', 'version', kind, '--no-git-tag-version').replace(/^v/, '')
const manuals = readdirSync(join(root, 'docs/running')).map((name) => `docs/running/${name}`)
change('CHANGELOG.md', (text) => beginRelease(text, version, new Date().toISOString().slice(0, 10)))
for (const path of ['README.md', ...manuals]) change(path, (text) => nameVersion(text, before, version))
// The tests hash passwords and secrets cheaply, and so does what they sign in to.
process.env['NODE_OPTIONS'] = `--import=${join(root, 'server/test/support/cheap-passwords.mjs')}`
run('node', 'scripts/run.mjs', 'scripts/release/keep-state.ts', version)
run('git', 'add', 'server/test/releases')
run('git', 'commit', '--all', '--quiet', '--message', `Release ${version}`)
run('git', 'tag', '--annotate', '--message', `Parley ${version}`, `v${version}`)
console.log(`Tagged v${version}. "npm run package" builds its package.`)

/** @param {string} path @param {(text: string) => string} by */
function change(path, by) {
  const file = join(root, path)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, by(text))
}

/** @param {string} command @param {string[]} args */
function run(command, ...args) {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim()
}

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  console.error(sentence)
  return process.exit(1)
}
