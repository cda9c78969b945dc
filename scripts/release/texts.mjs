const UNRELEASED = '## Unreleased\n'

/**
 * The changelog with what is unreleased as a section of its own.
 * @param {string} changelog @param {string} version @param {string} day such as 2026-12-01
 * @throws if nothing is unreleased
 */
export function beginRelease(changelog, version, day) {
  const [before, after = ''] = changelog.split(UNRELEASED)
  if (!/^\s*- /.test(after)) throw new Error('CHANGELOG.md lists nothing as unreleased.')
  return `${before}${UNRELEASED}\n## ${version}, ${day}\n${after}`
}

/**
 * A manual whose examples name the present version instead of the one before.
 * @param {string} manual @param {string} before @param {string} version
 */
export const nameVersion = (manual, before, version) =>
  ['parley-chat-', 'Parley '].reduce((text, name) => text.replaceAll(name + before, name + version), manual)
